package model

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// tool is a tool that a request offers.
type tool struct {
	name      string
	namespace string // of the responses format
	schema    object // of its input
	text      bool   // its input is a text instead of an object
}

func shellNames() []string {
	return []string{
		"Bash", "Shell", "bash", "shell", "exec_command", "shell_command",
		"run_shell_command", "run_terminal_cmd", "run_terminal_command", "execute_command", "exec", "Execute", "run_commands", "launch-process",
	}
}

func writeNames() []string {
	return []string{"Write", "write", "write_file", "create", "Create", "editor", "save-file", "apply_patch"}
}

func shellTool(tools []tool) (tool, bool) { return toolOf(tools, shellNames()) }

func toolOf(tools []tool, names []string) (tool, bool) {
	for _, name := range names {
		if i := slices.IndexFunc(tools, func(t tool) bool { return t.name == name }); i >= 0 {
			return tools[i], true
		}
	}
	return tool{}, false
}

// writeCall returns a call that writes a new file, or nil if there is no tool for that.
func writeCall(tools []tool, path, text string) *call {
	t, found := toolOf(tools, writeNames())
	if !found {
		return nil
	}
	if t.text {
		lines := strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n+")
		return &call{tool: t, text: "*** Begin Patch\n*** Add File: " + path + "\n+" + lines + "\n*** End Patch\n"}
	}
	input := t.sampleInput()
	for _, key := range []string{"file_path", "filePath", "path"} {
		if _, found := objectAt(t.schema, "properties")[key]; found {
			input[key] = path
		}
	}
	for _, key := range []string{"content", "file_text", "new_text", "file_content"} {
		if _, found := objectAt(t.schema, "properties")[key]; found {
			input[key] = text
		}
	}
	return &call{tool: t, input: input}
}

// Kind is a kind of tool that clients have under several names.
type Kind string

// The kinds. NoteKind is a tool of the MCP server that the scripts of transcripts use.
const (
	ReadKind     Kind = "read"
	EditKind     Kind = "edit"
	NoteKind     Kind = "note"
	SubagentKind Kind = "subagent"
	PlanKind     Kind = "plan" // begins plan mode
	TypeKind     Kind = "type" // types Text into a running command
)

// NoteTool is the name of the MCP server's tool, without the client's prefix.
const NoteTool = "add_note"

func (k Kind) tool(tools []tool) (tool, bool) {
	switch k {
	case ReadKind:
		return toolOf(tools, []string{"Read", "read_file", "read", "view"})
	case EditKind:
		return toolOf(tools, []string{"Edit", "replace", "edit", "edit_file", "apply_patch"})
	case PlanKind:
		return toolOf(tools, []string{"EnterPlanMode", "enter_plan_mode"})
	case TypeKind:
		return toolOf(tools, []string{"write_stdin"})
	case SubagentKind:
		if t, found := toolOf(tools, []string{"Agent", "Task", "task", "agent", "spawn_agent", "invoke_agent", "sessions_spawn", "spawn_subagent", "sub-agent-general-purpose"}); found {
			return t, true
		}
		return deferredTool(tools, "multi_agent_v1", "spawn_agent", "message")
	}
	if i := slices.IndexFunc(tools, func(t tool) bool { return strings.HasSuffix(t.name, NoteTool) }); i >= 0 {
		return tools[i], true
	}
	if t, found := toolOf(tools, []string{"tool_call"}); found {
		return t, true
	}
	return deferredTool(tools, "mcp__notes", NoteTool, "text")
}

// deferredTool returns a tool that the client accepts without offering it.
func deferredTool(tools []tool, namespace, name, key string) (tool, bool) {
	_, found := toolOf(tools, []string{searchTool})
	return tool{name: name, namespace: namespace, schema: object{"properties": object{key: object{}}}}, found
}

func (s Step) offered(tools []tool) bool {
	kind := s.Use
	if s.Subagent != nil {
		kind = SubagentKind
	}
	if _, found := shellTool(tools); kind == "" {
		return s.Shell == "" || found
	}
	_, found := kind.tool(tools)
	return found
}

// background makes the call return before its work is done, if the tool has an argument for that.
func (c *call) background() {
	properties := objectAt(c.tool.schema, "properties")
	for key, value := range map[string]any{"run_in_background": true, "is_background": true, "tty": true, "yield_time_ms": 250, "wait": false} {
		if _, found := properties[key]; found {
			c.input[key] = value
		}
	}
}

var runningSession = regexp.MustCompile(`session ID (\d+)`)

// typeCall returns a call that types a text into the command that runs according to the request.
func typeCall(tools []tool, text, request string) *call {
	t, found := TypeKind.tool(tools)
	session := runningSession.FindStringSubmatch(request)
	if !found || session == nil {
		return nil
	}
	return &call{tool: t, input: object{"session_id": json.Number(session[1]), "chars": text}}
}

// subagentType returns the name of the client's general subagent, which a request describes.
func subagentType(request string) string {
	for _, name := range []string{"generalist", "coder", "general-purpose"} {
		if strings.Contains(request, name) {
			return name
		}
	}
	if strings.Contains(request, "- worker: ") {
		return "worker"
	}
	return "general"
}

// useCall returns a call of a kind of tool, or nil if there is none. path is the file or the type
// of subagent.
func useCall(tools []tool, kind Kind, path string) *call {
	t, found := kind.tool(tools)
	if !found {
		return nil
	}
	if t.text {
		return &call{tool: t, text: "*** Begin Patch\n*** Update File: " + path + "\n@@\n-one\n+two\n*** End Patch\n"}
	}
	input, properties := t.sampleInput(), objectAt(t.schema, "properties")
	for key, value := range map[string]any{
		"file_path": path, "filePath": path, "path": path, "absolute_path": path,
		"old_string": "one", "new_string": "two", "oldString": "one", "newString": "two",
		"task": SubagentPrompt + " look at the files", "instruction": SubagentPrompt + " look at the files", "text": "remember", "prompt": SubagentPrompt + " look at the files", "message": SubagentPrompt + " look at the files",
		"subagent_type": path, "agent_name": path, "run_in_background": false,
		"name": "mcp__notes__" + NoteTool, "arguments": object{"text": "remember"},
	} {
		if _, found := properties[key]; found {
			input[key] = value
		}
	}
	return &call{tool: t, input: input}
}

// sampleInput returns an input with values for all required arguments.
func (t tool) sampleInput() object {
	input, _ := sample(t.schema).(object)
	if input == nil {
		input = object{}
	}
	return input
}

// shellCall returns a call of a shell tool with a command.
func (t tool) shellCall(command string) *call {
	input := t.sampleInput()
	key := "command"
	properties := objectAt(t.schema, "properties")
	if _, found := properties["cmd"]; found {
		key = "cmd"
	}
	input[key] = command
	if at(properties, key, "type") == "array" {
		input[key] = []string{"bash", "-lc", command}
	}
	if _, found := properties["commands"]; found {
		delete(input, key)
		input["commands"] = []string{command}
	}
	if _, found := properties["max_wait_seconds"]; found {
		input["wait"], input["max_wait_seconds"], input["cwd"] = true, 30, "."
	}
	if _, found := properties["riskLevel"]; found { // with which Factory Droid decides whether to ask
		input["riskLevel"] = "high"
	}
	return &call{tool: t, input: input}
}

// sample returns the smallest value that matches a JSON schema. It supports the schemas of
// coding agents.
func sample(schema object) any {
	if v, found := schema["const"]; found {
		return v
	}
	if list, ok := schema["enum"].([]any); ok && len(list) > 0 {
		return list[0]
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if list := objects(schema[key]); len(list) > 0 {
			return sample(list[0])
		}
	}
	return sampleOf(typeName(schema), schema)
}

func typeName(schema object) string {
	if list, ok := schema["type"].([]any); ok && len(list) > 0 {
		schema = object{"type": list[0]}
	}
	name, _ := schema["type"].(string)
	return name
}

func sampleOf(name string, schema object) any {
	switch name {
	case "string", "STRING":
		return "scripted"
	case "integer", "number", "INTEGER", "NUMBER":
		return 1
	case "boolean", "BOOLEAN":
		return false
	case "array", "ARRAY":
		return []any{}
	case "null":
		return nil
	}
	required, _ := schema["required"].([]any)
	out := object{}
	for _, key := range required {
		if k, ok := key.(string); ok {
			out[k] = sample(objectAt(schema, "properties", k))
		}
	}
	return out
}
