#!/usr/bin/env node
// Runs the program of this platform's package, with its streams, its status and its signals
// unchanged: status 2 means "blocked" to agents. Agents call the program itself, not this file.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "agent-hooks.exe" : "agent-hooks";

// fail ends with status 1: to an agent, any other might mean "blocked".
function fail(message) {
	process.stderr.write(`agent-hooks: error: ${message}\n`);
	process.exit(1);
}

function find() {
	const name = `@agent-hooks/${platform}`;
	try {
		return require.resolve(`${name}/bin/${file}`);
	} catch {
		const known = Object.keys(require("../package.json").optionalDependencies);
		return fail(known.includes(name)
			? `the package ${name} is missing; install agent-hooks again, without --omit=optional`
			: `there is no program for ${platform}; with Go: go install github.com/agent-hooks/agent-hooks/cmd/agent-hooks@latest`);
	}
}

const program = find();
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => fail(`${program} cannot be run: ${error.message}`));

// Signals for this process are the program's; it ends by them, or not, and so does this one.
const signals = process.platform === "win32"
	? ["SIGINT", "SIGBREAK", "SIGHUP"] // the console sends them to both
	: ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2", "SIGALRM"];
for (const signal of signals) {
	process.on(signal, () => process.platform === "win32" || child.kill(signal));
}
child.on("exit", (status, signal) => {
	if (!signal) {
		process.exit(status);
	}
	for (const caught of signals) {
		process.removeAllListeners(caught);
	}
	process.kill(process.pid, signal);
	// A signal that Node ignores, such as SIGPIPE: the status that a shell gives it.
	setTimeout(() => process.exit(128 + (constants.signals[signal] || 0)), signal === "SIGPIPE" ? 0 : 1000);
});
