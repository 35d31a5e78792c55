package agent_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
)

// TestNames checks that spec/protocols.go and the schema of a HOOK.md list every agent with its
// aliases. With -update it writes both lists.
func TestNames(t *testing.T) {
	var protocols, enum []string
	for _, a := range agent.All() {
		names := append([]string{a.Name}, a.Aliases...)
		protocols = append(protocols, `"`+strings.Join(names, " ")+`"`)
		for _, name := range names {
			enum = append(enum, `"`+name+`"`)
		}
	}
	for path, list := range map[string]struct{ pattern, text string }{
		"../../spec/protocols.go":     {`(?s)(var protocols = \[\.\.\.\]string\{\n).*?(\n\})`, wrapped(protocols, "\t", 145) + ","},
		"../../spec/schema/hook.json": {`(?s)("protocol": \{[^}]*"enum": \[\n).*?(\n +\])`, wrapped(enum, strings.Repeat(" ", 12), 110)},
	} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := regexp.MustCompile(list.pattern).ReplaceAllString(string(text), "${1}"+list.text+"${2}")
		if want == string(text) {
			continue
		}
		if !*update {
			t.Errorf("%s does not list the agents; go test ./internal/agent -update writes it", path)
		} else if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOn checks where other systems have a file of the tables.
func TestOn(t *testing.T) {
	for _, test := range [][3]string{
		{"linux", "/etc/cursor/hooks.json", "/etc/cursor/hooks.json"},
		{"darwin", "/etc/cursor/hooks.json", "/Library/Application Support/Cursor/hooks.json"},
		{"darwin", "/etc/windsurf/hooks.json", "/Library/Application Support/Windsurf/hooks.json"},
		{"windows", "/etc/claude-code/managed-settings.json", "C:/Program Files/ClaudeCode/managed-settings.json"},
		{"windows", "~/.config/Code/User/settings.json", "~/AppData/Roaming/Code/User/settings.json"},
		{"darwin", "~/.config/opencode/opencode.json", "~/.config/opencode/opencode.json"},
	} {
		if got := agent.On(test[0], test[1]); got != test[2] {
			t.Errorf("On(%q, %q) = %q, want %q", test[0], test[1], got, test[2])
		}
	}
}

// wrapped joins words with commas, in indented lines.
func wrapped(words []string, indent string, width int) string {
	var b strings.Builder
	line := indent
	for i, w := range words {
		if i > 0 {
			line += ","
			if len(line)+len(w)+2 > width {
				b.WriteString(line + "\n")
				line = indent
			} else {
				line += " "
			}
		}
		line += w
	}
	return b.String() + line
}
