package model

import (
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
		"run_shell_command", "run_terminal_cmd", "execute_command",
	}
}

func writeNames() []string { return []string{"Write", "write", "write_file", "apply_patch"} }

func shellTool(tools []tool) (tool, bool) { return toolOf(tools, shellNames()) }

func toolOf(tools []tool, names []string) (tool, bool) {
	i := slices.IndexFunc(tools, func(t tool) bool { return slices.Contains(names, t.name) })
	if i < 0 {
		return tool{}, false
	}
	return tools[i], true
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
	input["content"] = text
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
