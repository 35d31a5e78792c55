package agent

import (
	"encoding/json"
	"testing"
)

// TestCodexHash compares with the hash that Codex 0.169.0 on Linux lists for an entry of a plugin,
// with a command line for Windows.
func TestCodexHash(t *testing.T) {
	const hooks = `{
  "hooks": {
    "PreToolUse": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "exec sh -c 'if command -v \"$1\" >/dev/null 2>&1; then exec \"$@\"; fi; for agent_hooks in \"$HOME/.local/bin/$1\" \"$HOME/go/bin/$1\" \"/opt/homebrew/bin/$1\" \"/usr/local/bin/$1\"; do if [ -f \"$agent_hooks\" ]; then shift; exec \"$agent_hooks\" \"$@\"; fi; done; cat >/dev/null' sh agent-hooks run --agent codex --require-trust --deadline 597000",
            "commandWindows": "where /q agent-hooks & if errorlevel 1 (exit 0) else agent-hooks run --agent codex --require-trust --deadline 597000",
            "timeout": 600
          }
        ]
      }
    ]
  }
}`
	machine := func(goos string) *Machine {
		return &Machine{GOOS: goos, Decoded: func(string, string) (decoded any) {
			if err := json.Unmarshal([]byte(hooks), &decoded); err != nil {
				t.Error(err)
			}
			return decoded
		}}
	}
	e := Entry{Event: "PreToolUse"}
	const want = "sha256:a1765bb0fa6d1ec334ba145d6e50977e61434347a7df3eb8ab8204d65c722148"
	if got := codexHash(machine("linux"), e); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := codexHash(machine("windows"), e); got == want || got == "" {
		t.Errorf("on Windows, where another line runs, the hash is %q", got)
	}
}
