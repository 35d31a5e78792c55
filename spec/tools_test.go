package spec

import (
	"slices"
	"strings"
	"testing"
)

// Every agent's name of its shell tool is also known as Shell and as Bash.
func TestToolNamesShell(t *testing.T) {
	agents := map[string][]string{
		"Claude Code": {"Bash", "PowerShell", "Monitor"},
		"Codex":       {"Bash", "exec_command", "write_stdin"},
		"Gemini CLI":  {"run_shell_command"},
		"Qwen Code":   {"run_shell_command", "monitor"},
		"Cursor":      {"Shell", "run_terminal_cmd"},
		"Copilot CLI": {"bash", "powershell", "write_bash", "write_powershell"},
		"VS Code":     {"run_in_terminal", "runTerminalCommand"},
		"OpenCode":    {"bash"},
		"Kimi CLI":    {"Shell"},
		"Kimi Code":   {"Bash"},
		"Droid":       {"Execute"},
		"Kiro":        {"execute_bash", "execute_pwsh", "shell"},
		"Amp":         {"Bash", "shell_command"},
		"Cline":       {"execute_command", "run_commands"},
		"Goose":       {"developer__shell", "shell"},
		"Crush":       {"bash"},
		"Pi":          {"bash"},
		"Grok":        {"run_terminal_command"},
		"Devin":       {"exec"},
		"Antigravity": {"run_command"},
		"Windsurf":    {"pre_run_command"},
	}
	for agent, names := range agents {
		for _, name := range names {
			got := ToolNames(name)
			if got[0] != name || !slices.Contains(got, "Shell") || !slices.Contains(got, "Bash") || len(got) > 3 {
				t.Errorf("%s: ToolNames(%q) = %q, want itself, Shell and Bash", agent, name, got)
			}
		}
	}
}

// The format's names and Claude Code's name one tool each, even if another
// agent uses the word for another tool.
func TestToolNamesOwnRow(t *testing.T) {
	for _, row := range [][]string{
		{"Shell", "Bash"}, {"ReadFile", "Read"}, {"WriteFile", "Write"}, {"EditFile", "Edit"}, {"Glob"}, {"Grep"}, {"LS"},
		{"FetchURL", "WebFetch"}, {"SearchWeb", "WebSearch"}, {"Task", "Agent"}, {"TodoWrite"},
		{"AskUser", "AskUserQuestion"}, {"Skill"}, {"Delete"},
	} {
		for _, name := range row {
			got := slices.Sorted(slices.Values(ToolNames(name)))
			if want := slices.Sorted(slices.Values(row)); !slices.Equal(got, want) {
				t.Errorf("ToolNames(%q) = %q, want the row %q", name, got, want)
			}
		}
	}
}

func TestToolNames(t *testing.T) {
	tests := []struct{ name, want string }{
		{"run_shell_command", "run_shell_command Shell Bash"},
		{"Bash", "Bash Shell"},
		{"read_file", "read_file ReadFile Read"},
		{"view", "view ReadFile Read"},
		{"write_file", "write_file WriteFile Write"},
		{"create_file", "create_file WriteFile Write"},
		{"StrReplaceFile", "StrReplaceFile EditFile Edit"},
		{"replace", "replace EditFile Edit"},
		{"MultiEdit", "MultiEdit EditFile Edit"},
		{"apply_patch", "apply_patch WriteFile Write EditFile Edit Delete"},
		{"ApplyPatch", "ApplyPatch WriteFile Write EditFile Edit Delete"},
		{"fs_write", "fs_write WriteFile Write EditFile Edit"},
		{"search_replace", "search_replace WriteFile Write EditFile Edit"},
		{"editor", "editor WriteFile Write EditFile Edit"},
		{"pre_write_code", "pre_write_code WriteFile Write EditFile Edit"},
		{"pre_read_code", "pre_read_code ReadFile Read LS"},
		{"list_dir", "list_dir Glob LS"},
		{"search_codebase", "search_codebase Glob Grep"},
		{"rg", "rg Grep"},
		{"list_directory", "list_directory LS"},
		{"webfetch", "webfetch FetchURL WebFetch"},
		{"google_web_search", "google_web_search SearchWeb WebSearch"},
		{"spawn_subagent", "spawn_subagent Task Agent"},
		{"write_todos", "write_todos TodoWrite"},
		{"question", "question AskUser AskUserQuestion"},
		{"activate_skill", "activate_skill Skill"},

		// Names are compared exactly, and unknown ones have no other names.
		{"BASH", "BASH"},
		{"", ""},
		{"my_tool", "my_tool"},
		{"github-create", "github-create"},

		// MCP
		{"mcp__github__create_issue", "mcp__github__create_issue"},
		{"@github/create_issue", "@github/create_issue mcp__github__create_issue"},
		{"@a/b/c", "@a/b/c mcp__a__b/c mcp__a/b__c"},
		{"github__create_issue", "github__create_issue mcp__github__create_issue"},
		{"a__b__c", "a__b__c mcp__a__b__c"},
		{"mcp_a_b_c", "mcp_a_b_c mcp__a__b_c mcp__a_b__c"},
		{"mcp_a__b", "mcp_a__b mcp__a___b mcp__mcp_a__b"},
		{"MCP:create_issue", "MCP:create_issue"},
		{"mcp_", "mcp_"},
		{"mcp_a", "mcp_a"},
		{"mcp_a_", "mcp_a_"},
		{"mcp__", "mcp__"},
		{"__a", "__a"},
		{"a__", "a__"},
		{"@", "@"},
		{"@a/", "@a/"},
		{"developer__shell", "developer__shell Shell Bash"}, // in the table, so not an MCP tool
	}
	for _, test := range tests {
		if got := strings.Join(ToolNames(test.name), " "); got != test.want {
			t.Errorf("ToolNames(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}

// A short name on either side is found, however many underscores the other side
// has.
func TestToolNamesSplitsAreBounded(t *testing.T) {
	long := strings.Repeat("x_", 50) + "x"
	for name, want := range map[string]string{
		"mcp_" + long + "_delete_all": "mcp__" + long + "__delete_all",
		"mcp_git_hub_" + long:         "mcp__git_hub__" + long,
	} {
		got := ToolNames(name)
		if !slices.Contains(got, want) || len(got) != 1+maxSplits {
			t.Errorf("ToolNames(%q): %d names, want %d with %q: %q", name, len(got), 1+maxSplits, want, got)
		}
	}
}

func TestToolTable(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range tools {
		all := append([]string{}, row.callers...)
		for _, name := range row.claude {
			if name != row.canonical {
				all = append(all, name)
			}
		}
		all = append(all, row.canonical)
		if n := len(slices.Compact(slices.Sorted(slices.Values(all)))); n != len(all) {
			t.Errorf("row %s has a name twice: %q", row.canonical, all)
		}
		if seen[row.canonical] {
			t.Errorf("two rows %s", row.canonical)
		}
		seen[row.canonical] = true
		for _, name := range all {
			if name == "" || strings.TrimSpace(name) != name {
				t.Errorf("row %s has the name %q", row.canonical, name)
			}
		}
	}
}

func TestKnownTool(t *testing.T) {
	for _, name := range []string{"Bash", "Delete", "run_command", "mcp__a__b", "@a/b", "a__b", "mcp_a_b", "MCP:a"} {
		if !KnownTool(name) {
			t.Errorf("%q is not known", name)
		}
	}
	for _, name := range []string{"", "bAsh", "Bash ", "my_tool", "mcp_a", "@a"} {
		if KnownTool(name) {
			t.Errorf("%q is known", name)
		}
	}
}

func FuzzToolNames(f *testing.F) {
	for _, name := range []string{"Bash", "apply_patch", "mcp_a_b_c", "@a/b", "a__b", "mcp__a__b", "MCP:x", "__", "@/", ""} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		names := ToolNames(name)
		if names[0] != name || len(names) > maxSplits+2 {
			t.Errorf("ToolNames(%q) = %q", name, names)
		}
		for i, n := range names {
			if slices.Contains(names[:i], n) {
				t.Errorf("ToolNames(%q) has %q twice", name, n)
			}
		}
		if len(names) > 1 && !KnownTool(name) {
			t.Errorf("%q has names but is not known: %q", name, names)
		}
	})
}

func BenchmarkToolNames(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		ToolNames("run_shell_command")
	}
}
