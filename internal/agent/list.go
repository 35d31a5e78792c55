package agent

import (
	"slices"
)

// agents is initialized by the linker, so it takes no time at the start.
var agents = [...]*Agent{
	&claudeCode, &copilot, &cursor, &codex, &openCode, &geminiCLI, &qwenCode, &openClaw, &kimiCode,
	&antigravity, &cline, &kiro, &amp, &droid, &devin, &goose, &hermes, &kilo, &pi, &junie, &auggie, &openHands, &crush, &grok,
	&vibe, &qoder, &codeBuddy, &kimiCLI, &windsurf, &picoclaw, &jcli, &settingsEngine, &blade,
}

// All returns all agents, in the order of the documentation: by use, last those without a
// client of their own.
func All() []*Agent { return slices.Clone(agents[:]) }

// Names returns the name of every agent.
func Names() []string {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = a.Name
	}
	return names
}

// Find returns the agent with that name or alias, nil if there is none.
func Find(name string) *Agent {
	if name == "" { // usual: the caller is not known
		return nil
	}
	for _, a := range agents {
		if a.Name == name || slices.Contains(a.Aliases, name) {
			return a
		}
	}
	return nil
}

// RunsBash reports whether the agent is documented to run commands in bash on a
// system (D97). a may be nil.
func (a *Agent) RunsBash(goos string) bool {
	if goos != "windows" {
		goos = "unix"
	}
	return a != nil && slices.Contains(a.Bash, goos)
}
