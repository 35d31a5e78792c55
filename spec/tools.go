package spec

import (
	"slices"
	"strings"
)

// tool is one row of the tool-name table: the names that agents use for one
// kind of tool.
type tool struct {
	canonical string   // the format's own name
	claude    []string // Claude Code's primary names, the current one first
	callers   []string // every other name that an agent sends
}

// has reports whether the tool has the exact name.
func (t *tool) has(name string) bool {
	return t.canonical == name || slices.Contains(t.claude, name) || slices.Contains(t.callers, name)
}

// tools is initialized by the linker; a map would be built at every start. A
// tool that can act as several kinds (a patch, an editor with
// sub-commands) appears in each of their rows, so that a guard for any of them
// sees it. Claude Code's and the format's own names appear in one row only.
var tools = [...]tool{
	{"Shell", []string{"Bash"}, []string{
		"PowerShell", "run_shell_command", "bash", "powershell", "run_in_terminal", "runTerminalCommand", "Execute",
		"execute_bash", "execute_pwsh", "shell", "shell_command", "execute_command", "run_commands", "developer__shell",
		"run_terminal_command", "exec", "run_command", "pre_run_command", "Monitor", "monitor", "exec_command", "write_stdin",
		"write_bash", "write_powershell", "run_terminal_cmd"}},
	{"ReadFile", []string{"Read"}, []string{
		"read_file", "read_many_files", "view", "read", "ReadMediaFile", "fs_read", "readFile", "read_files", "view_file",
		"pre_read_code"}},
	{"WriteFile", []string{"Write"}, []string{
		"apply_patch", "ApplyPatch", "write_file", "create", "create_file", "write", "Create", "fs_write", "fs_append",
		"write_to_file", "editor", "developer__text_editor", "developer__write", "str_replace_editor", "search_replace",
		"pre_write_code"}},
	{"EditFile", []string{"Edit"}, []string{
		"MultiEdit", "NotebookEdit", "notebook_edit", "apply_patch", "ApplyPatch", "patch", "replace", "edit", "StrReplace",
		"str_replace_editor", "replace_string_in_file", "multi_replace_string_in_file", "insert_edit_into_file", "editFiles",
		"StrReplaceFile", "str_replace", "fs_write", "edit_file", "replace_in_file", "editor", "developer__text_editor",
		"developer__edit", "multiedit", "search_replace", "replace_file_content", "multi_replace_file_content",
		"pre_write_code"}},
	{"Glob", []string{"Glob"}, []string{
		"glob", "file_search", "list_files", "search_codebase", "tree", "ls", "find", "list_dir", "find_file_by_name",
		"find_by_name"}},
	{"Grep", []string{"Grep"}, []string{
		"grep", "grep_search", "search_file_content", "rg", "search_files", "search_codebase", "analyze"}},
	{"LS", []string{"LS"}, []string{"list_directory", "list_dir", "list", "list_files", "ls", "pre_read_code"}},
	{"FetchURL", []string{"WebFetch"}, []string{
		"web_fetch", "fetch_webpage", "webfetch", "FetchUrl", "read_web_page", "fetch_web_content", "fetch", "agentic_fetch",
		"read_url_content"}},
	{"SearchWeb", []string{"WebSearch"}, []string{"google_web_search", "web_search", "websearch", "search_web"}},
	{"Task", []string{"Agent", "Task"}, []string{
		"spawn_agent", "invoke_agent", "agent", "task", "runSubagent", "AgentSwarm", "TaskList", "TaskOutput", "TaskStop",
		"subagent", "oracle", "use_subagents", "spawn_subagent", "run_subagent"}},
	{"TodoWrite", []string{"TodoWrite"}, []string{
		"TaskCreate", "update_plan", "write_todos", "todo_write", "update_todo", "manage_todo_list", "todowrite",
		"SetTodoList", "TodoList", "focus_chain", "todos"}},
	{"AskUser", []string{"AskUserQuestion"}, []string{
		"request_user_input", "ask_user", "ask_user_question", "vscode_askQuestions", "question", "ask_followup_question",
		"ask_question"}},
	{"Skill", []string{"Skill"}, []string{"activate_skill", "skill", "use_skill", "skills", "load_skill"}},
	{"Delete", nil, []string{"apply_patch", "ApplyPatch"}},
}

// maxSplits limits the readings of one ambiguous MCP name, half of them from
// either end.
const maxSplits = 16

// ToolNames returns the names against which matcher.tool is matched (D17): name
// itself first, then the canonical and Claude Code's names from every row of
// the table that contains it, without duplicates.
//
// For a name that is in no row but has the form of an MCP tool's name
// ("@srv/tool", "srv__tool" or "mcp_srv_tool"), it adds mcp__SERVER__TOOL. If
// several splits into server and tool are possible, it adds all of them (at
// most 16). "MCP:tool" names no server, and "srv_tool" and "srv-tool" cannot be
// distinguished from an ordinary name, so they are left unchanged.
func ToolNames(name string) []string {
	names := append(make([]string, 0, 4), name)
	for i := range tools {
		if t := &tools[i]; t.has(name) {
			names = addNames(names, t, nil)
		}
	}
	if len(names) > 1 || inTable(name) {
		return names
	}
	return addMCP(names, name)
}

// KnownTool reports whether name is in the table or has the form of an MCP
// tool's name.
func KnownTool(name string) bool {
	return inTable(name) || strings.HasPrefix(name, "MCP:") || strings.HasPrefix(name, "mcp__") || len(addMCP(nil, name)) > 0
}

// IsMCP reports whether name is in no row of the table and has the form of an
// MCP tool's name.
func IsMCP(name string) bool { return !inTable(name) && KnownTool(name) }

// CanonicalTool returns the canonical name of a canonical name or one of Claude
// Code's; ok is false for any other name.
func CanonicalTool(name string) (canonical string, ok bool) {
	for i := range tools {
		if t := &tools[i]; t.canonical == name || slices.Contains(t.claude, name) {
			return t.canonical, true
		}
	}
	return "", false
}

// KnownTools returns every name in the table, row by row.
func KnownTools() (names []string) {
	for i := range tools {
		names = addNames(names, &tools[i], tools[i].callers)
	}
	return names
}

// PortableTools returns the names that a matcher finds in every agent: the
// canonical names and Claude Code's.
func PortableTools() (names []string) {
	for i := range tools {
		names = addNames(names, &tools[i], nil)
	}
	return names
}

// addNames adds the portable names of a tool, and more of its names.
func addNames(names []string, t *tool, more []string) []string {
	names = addName(names, t.canonical)
	for _, list := range [...][]string{t.claude, more} {
		for _, n := range list {
			names = addName(names, n)
		}
	}
	return names
}

func inTable(name string) bool {
	for i := range tools {
		if tools[i].has(name) {
			return true
		}
	}
	return false
}

func addName(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// addMCP adds each mcp__SERVER__TOOL that name may mean.
func addMCP(names []string, name string) []string {
	if strings.HasPrefix(name, "mcp__") {
		return names
	}
	if rest, ok := strings.CutPrefix(name, "@"); ok {
		return addSplits(names, rest, '/')
	}
	if rest, ok := strings.CutPrefix(name, "mcp_"); ok {
		names = addSplits(names, rest, '_')
	}
	// Every split of this name gives the same result.
	if server, tool, ok := strings.Cut(name, "__"); ok && server != "" && tool != "" {
		names = addName(names, "mcp__"+name)
	}
	return names
}

// addSplits adds a name for each separator inside s. If there are more than
// maxSplits, it uses those near either end: a long server name must not hide a
// short tool name, nor the reverse.
func addSplits(names []string, s string, separator byte) []string {
	total, seen := strings.Count(s, string(separator)), 0
	for i := range len(s) {
		if s[i] != separator {
			continue
		}
		seen++
		inner := seen > maxSplits/2 && seen <= total-maxSplits/2
		if i == 0 || i == len(s)-1 || inner {
			continue
		}
		names = addName(names, "mcp__"+s[:i]+"__"+s[i+1:])
	}
	return names
}
