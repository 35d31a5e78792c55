package spec

import (
	_ "embed" // the text and the schemas are part of the program
	"strings"
)

// Strings, unlike an embed.FS, cost nothing until they are used.
var (
	//go:embed SPEC.md
	indexText string
	//go:embed CORE.md
	coreText string
	//go:embed ANSWERS.md
	answersText string
	//go:embed READING.md
	readingText string
	//go:embed TESTS.md
	testsText string
	//go:embed DIAGNOSTICS.md
	diagnosticsText string
	//go:embed BINDINGS.md
	bindingsText string
	//go:embed RUNNER.md
	runnerText string
	//go:embed ORIGINAL.md
	originalText string
	//go:embed data/tools.json
	toolsData string
	//go:embed schema/hook.json
	hookSchema string
	//go:embed schema/event.json
	eventSchema string
	//go:embed schema/answer.json
	answerSchema string
	//go:embed schema/case.json
	caseSchema string
	//go:embed schema/config.json
	configSchema string
	//go:embed schema/rpc.json
	rpcSchema string
	//go:embed schema/lock.json
	lockSchema string
	//go:embed schema/pack.json
	packSchema string
)

var documents = [...]struct {
	name string
	text *string
}{
	{"spec", &indexText}, {"core", &coreText}, {"answers", &answersText}, {"reading", &readingText}, {"tests", &testsText},
	{"diagnostics", &diagnosticsText}, {"bindings", &bindingsText}, {"runner", &runnerText}, {"original", &originalText},
}

// DocumentNames returns the names that Document accepts. Each is the name of
// a file of this folder, in lower case and without ".md".
func DocumentNames() (names []string) {
	for _, d := range documents {
		names = append(names, d.name)
	}
	return names
}

// Document returns one document of the format, in Markdown. ok is false if
// there is none of this name.
func Document(name string) (text string, ok bool) {
	for _, d := range documents {
		if d.name == name {
			return *d.text, true
		}
	}
	return "", false
}

// Text returns the normative text of the format, in Markdown: all documents,
// in the order of DocumentNames.
func Text() string {
	var all []string
	for _, d := range documents {
		all = append(all, *d.text)
	}
	return strings.Join(all, "\n")
}

var schemas = [...]struct {
	name string
	text *string
}{
	{"hook", &hookSchema}, {"event", &eventSchema}, {"answer", &answerSchema}, {"case", &caseSchema},
	{"config", &configSchema}, {"rpc", &rpcSchema}, {"lock", &lockSchema}, {"pack", &packSchema},
}

// SchemaNames returns the names that Schema accepts.
func SchemaNames() (names []string) {
	for _, s := range schemas {
		names = append(names, s.name)
	}
	return names
}

// ToolNamesJSON returns the names of tools as data, a list of rows with
// "canonical", "claude_code" and "others" (CORE.md 7.1).
func ToolNamesJSON() string { return toolsData }

// Schema returns a JSON Schema (2020-12): "hook", the front matter of a HOOK.md
// as JSON; "event", the input of a hook; "answer", its output; "case", a test
// case; "config", a hooks.toml as JSON; "rpc", the methods of agent-hooks
// serve; "lock", a hooks.lock as JSON; "pack", a pack.toml as JSON. ok is false
// for any other name.
func Schema(name string) (schema []byte, ok bool) {
	for _, s := range schemas {
		if s.name == name {
			return []byte(*s.text), true
		}
	}
	return nil, false
}
