package spec

import (
	"slices"
	"strings"
)

// protocols are the hook systems that package agent supports, each followed by
// its other names after a space (D60). Package agent's tests compare them with
// its own table.
var protocols = [...]string{
	"claude-code claude", "copilot vscode copilot-cli copilot-cloud github-copilot", "cursor", "codex codex-cli", "opencode", "gemini-cli gemini",
	"qwen-code qwen", "openclaw", "kimi-code kimi", "antigravity agy", "cline", "kiro kiro-cli", "amp", "factory-droid droid", "devin devin-cli",
	"goose", "hermes", "kilo", "pi", "junie", "auggie augment", "openhands", "crush", "grok grok-build", "mistral-vibe vibe", "qoder",
	"codebuddy codebuddy-code", "kimi-cli", "windsurf cascade", "picoclaw", "j-cli jcli", "settings-engine settings-json settings.json", "blade",
}

// Protocols returns the values of metadata.protocol: the hook systems for which
// a script may be written (SPEC.md 4.10, D60).
func Protocols() []string {
	names := make([]string, len(protocols))
	for i, p := range protocols {
		names[i], _, _ = strings.Cut(p, " ")
	}
	return names
}

// TimesEachAttempt reports whether a protocol gives each attempt of a hook the
// whole timeout (SPEC.md 12.4).
func TimesEachAttempt(protocol string) bool { return protocol == "j-cli" || protocol == "jcli" }

// KnownProtocol reports whether name is one of Protocols or an alias of one.
func KnownProtocol(name string) bool {
	return name != "" && slices.ContainsFunc(protocols[:], func(p string) bool { return slices.Contains(strings.Fields(p), name) })
}
