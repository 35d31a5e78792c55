// Packs the npm packages: one for each platform, with the program, and agent-hooks, which has them
// as optional dependencies.
//
//	node npm/pack.mjs VERSION DIR GOOS/GOARCH=PROGRAM ...
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [version, dir, ...programs] = process.argv.slice(2);
if (!programs.length) {
	console.error("usage: node npm/pack.mjs VERSION DIR GOOS/GOARCH=PROGRAM ...");
	process.exit(64);
}

const common = {
	version,
	license: "Apache-2.0",
	homepage: "https://github.com/agent-hooks/agent-hooks",
	repository: { type: "git", url: "git+https://github.com/agent-hooks/agent-hooks.git" },
	files: ["bin", "LICENSES"],
	publishConfig: { access: "public" },
};
const scratch = mkdtempSync(join(tmpdir(), "agent-hooks-npm-"));
try {
	mkdirSync(dir, { recursive: true });
	const optionalDependencies = {};
	for (const argument of programs) {
		const [system, program] = argument.split(/=(.*)/s);
		const [goos, goarch] = system.split("/");
		const os = goos === "windows" ? "win32" : goos;
		const cpu = goarch === "amd64" ? "x64" : goarch;
		const name = `@agent-hooks/${os}-${cpu}`;
		const file = goos === "windows" ? "agent-hooks.exe" : "agent-hooks";
		pack(`${os}-${cpu}`, {
			name,
			description: `The program of the package agent-hooks for ${os}-${cpu}`,
			os: [os],
			cpu: [cpu],
			preferUnplugged: true, // a program in an archive cannot run
		}, (folder) => {
			mkdirSync(join(folder, "bin"));
			copyFileSync(program, join(folder, "bin", file));
			chmodSync(join(folder, "bin", file), 0o755);
		});
		optionalDependencies[name] = version;
	}
	pack("agent-hooks", {
		name: "agent-hooks",
		description: "Runs hooks for any coding agent",
		keywords: ["hooks", "agent", "claude-code", "codex", "gemini-cli", "cursor", "copilot"],
		bin: { "agent-hooks": "bin/agent-hooks.js" },
		engines: { node: ">=18" },
		optionalDependencies,
	}, (folder) => cpSync(join(here, "agent-hooks"), folder, { recursive: true }));
} finally {
	rmSync(scratch, { recursive: true });
}

// pack packs a package whose files fill writes. npm sorts them and gives them a fixed time.
function pack(name, description, fill) {
	const folder = join(scratch, name);
	mkdirSync(folder);
	fill(folder);
	copyFileSync(join(here, "..", "LICENSE"), join(folder, "LICENSE"));
	const licenses = process.env.LICENSES;
	if (licenses) {
		copyFileSync(licenses, join(folder, "LICENSES"));
	}
	writeFileSync(join(folder, "package.json"), JSON.stringify({ ...description, ...common }, null, 2) + "\n");
	execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--offline", "--pack-destination", resolve(dir)], {
		cwd: folder, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32",
	});
}
