package model

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

type object = map[string]any

// format is one wire format.
type format struct {
	matches func(path string) bool
	tools   func(body object) []tool
	schema  func(body object) object // of the requested JSON, or nil
	reply   func(*reply)
}

func formatOf(path string) (format, bool) {
	for _, f := range []format{chatFormat(), responsesFormat(), messagesFormat(), geminiFormat(), augmentFormat()} {
		if f.matches(path) {
			return f, true
		}
	}
	return format{}, false
}

func endsWith(suffixes ...string) func(string) bool {
	return func(path string) bool {
		for _, s := range suffixes {
			if strings.HasSuffix(path, s) {
				return true
			}
		}
		return false
	}
}

// answer is the model's reply, independent of the wire format.
type answer struct {
	step     int  // index in the script, -1 outside the conversation
	subagent bool // the script is that of a subagent
	serial   int  // distinguishes the identifiers of calls
	text     string
	call     *call
}

type call struct {
	tool  tool
	input object
	text  string // instead of input, for a tool whose input is a text
}

// arguments returns the input as JSON text, as in OpenAI's formats.
func (c *call) arguments() string {
	data, _ := json.Marshal(c.input)
	return string(data)
}

// auxiliary answers a request outside the conversation in the requested form: a forced tool
// call, JSON for a schema, or a text.
func auxiliary(f format, body object, tools []tool) answer {
	a := answer{step: -1, text: AuxiliaryText}
	if schema := f.schema(body); schema != nil {
		data, _ := json.Marshal(sample(schema))
		a.text = string(data)
	}
	if len(tools) == 1 && body["tool_choice"] != nil {
		input, _ := sample(tools[0].schema).(object)
		a.call = &call{tool: tools[0], input: input}
	}
	return a
}

// reply writes one answer.
type reply struct {
	w    http.ResponseWriter
	path string
	body object
	answer
}

func (r *reply) id(kind string) string { return fmt.Sprintf("%s_%04d", kind, r.serial) }

func (r *reply) model() string {
	name, _ := r.body["model"].(string)
	return name
}

func (r *reply) streams() bool { return r.body["stream"] == true }

// event writes one server-sent event; without a name, only its data.
func (r *reply) event(name string, data any) {
	text, _ := json.Marshal(data)
	if name != "" {
		fmt.Fprintf(r.w, "event: %s\n", name)
	}
	fmt.Fprintf(r.w, "data: %s\n\n", text)
	if f, ok := r.w.(http.Flusher); ok {
		f.Flush()
	}
}

func (r *reply) startStream() { r.w.Header().Set("Content-Type", "text/event-stream") }

func sendJSON(w http.ResponseWriter, data any) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(data)
}

// at returns the value at a path in nested objects, or nil.
func at(value any, path ...string) any {
	for _, key := range path {
		o, _ := value.(object)
		value = o[key]
	}
	return value
}

func objectAt(value any, path ...string) object {
	o, _ := at(value, path...).(object)
	return o
}

func objects(value any) []object {
	list, _ := value.([]any)
	var out []object
	for _, v := range list {
		if o, ok := v.(object); ok {
			out = append(out, o)
		}
	}
	return out
}
