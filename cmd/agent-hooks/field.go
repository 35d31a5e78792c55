package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/spec"
)

const fieldAbout = `Hook scripts call it as "$AGENT_HOOKS_PROGRAM" field, so that they need no other program for JSON. With KEY, it prints the text at this key of the event on stdin (tool_input.command), or every text in an object or a list, separated by spaces. With KEY and TEXT, it prints an object with both, which is an answer: field additional_context "$notes".
`

type fieldFlags struct{ noFlags }

// execute is `agent-hooks field KEY [TEXT]`.
func (fieldFlags) execute(env *Env, args []string) (int, error) {
	switch len(args) {
	case 2:
		return spec.ExitContinue, env.print(term.LineJSON(map[string]string{args[0]: args[1]}) + "\n")
	case 0:
		return 0, usagef("agent-hooks field tool_input < ctx.json", "field: no key given")
	}
	var event map[string]any
	input := json.NewDecoder(io.LimitReader(env.Stdin, maxCommandInput))
	input.UseNumber()
	if input.Decode(&event) != nil {
		return 0, errors.New("field: stdin is not a JSON object")
	}
	var value any = event
	for key := range strings.SplitSeq(args[0], ".") {
		object, _ := value.(map[string]any)
		value = object[key]
	}
	return spec.ExitContinue, env.print(strings.Join(textsIn(value), " ") + "\n")
}

// textsIn returns the texts in a value, in the order of its keys.
func textsIn(value any) (texts []string) {
	switch v := value.(type) {
	case nil:
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			texts = append(texts, textsIn(v[key])...)
		}
	case []any:
		for _, element := range v {
			texts = append(texts, textsIn(element)...)
		}
	default:
		texts = append(texts, fmt.Sprint(v))
	}
	return texts
}
