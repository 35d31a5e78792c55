package model

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// wires are requests of each format, with a shell tool and without.
var wires = []struct{ name, path, with, without string }{
	{
		"chat", "/v1/chat/completions",
		`"tools": [{"type": "function", "function": {"name": "bash", "parameters": {"properties": {"command": {"type": "string"}, "n": {"type": "integer"}}, "required": ["command", "n"]}}}]`,
		`"response_format": {"json_schema": {"schema": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}}}`,
	},
	{
		"responses", "/v1/responses",
		`"tools": [{"type": "function", "name": "exec_command", "parameters": {"properties": {"cmd": {"type": "string"}, "n": {"type": "integer"}}, "required": ["cmd", "n"]}}]`,
		`"text": {"format": {"schema": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}}}`,
	},
	{
		"messages", "/v1/messages",
		`"tools": [{"name": "Bash", "input_schema": {"properties": {"command": {"type": "string"}, "n": {"type": "integer"}}, "required": ["command", "n"]}}]`,
		`"output_config": {"format": {"schema": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}}}`,
	},
	{
		"gemini", "/v1beta/models/m:generateContent",
		`"tools": [{"functionDeclarations": [{"name": "run_shell_command", "parametersJsonSchema": {"properties": {"command": {"type": "string"}, "n": {"type": "integer"}}, "required": ["command", "n"]}}]}]`,
		`"generationConfig": {"responseJsonSchema": {"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}}`,
	},
}

func TestFormats(t *testing.T) {
	for _, w := range wires {
		for _, stream := range []bool{false, true} {
			path, flag := w.path, `"stream": false`
			if stream {
				path, flag = strings.Replace(path, ":generate", ":streamGenerate", 1), `"stream": true`
			}
			var log bytes.Buffer
			s := &Server{Script: []Step{{Shell: "echo COMMAND"}, {Say: "SAID"}}, Log: &log}
			auxiliary := post(t, s, path, "{"+flag+", "+w.without+"}")
			first := post(t, s, path, "{"+flag+", "+w.with+"}")
			second := post(t, s, path, "{"+flag+", "+w.with+"}")
			third := post(t, s, path, "{"+flag+", "+w.with+"}")
			for _, c := range []struct{ what, got, want string }{
				{"a request without a tool", auxiliary, `{\"title\":\"scripted\"}`},
				{"the first step", first, "echo COMMAND"},
				{"its required argument", strings.ReplaceAll(first, `\`, ""), `"n":1`},
				{"the second step", second, "SAID"},
				{"the last step again", third, "SAID"},
				{"the log", log.String(), `"conversation":true,"step":1`},
			} {
				if !strings.Contains(c.got, c.want) {
					t.Errorf("%s, stream %v: %s: %q lacks %q", w.name, stream, c.what, c.got, c.want)
				}
			}
			if events := strings.HasPrefix(first, "data: ") || strings.HasPrefix(first, "event: "); events != stream {
				t.Errorf("%s, stream %v: the reply is %q", w.name, stream, first)
			}
		}
	}
}

func TestWrite(t *testing.T) {
	const shell = `{"name": "Bash", "input_schema": {}}`
	for _, c := range []struct{ path, tools, want string }{
		{"/v1/messages", `{"name": "Write", "input_schema": {"properties": {"file_path": {}, "content": {}}}}`, `"input":{"content":"a\nb\n","file_path":"/dir/f"}`},
		{"/v1/messages", `{"name": "write", "input_schema": {"properties": {"filePath": {}, "content": {}}}}`, `"filePath":"/dir/f"`},
		{"/v1/responses", `{"type": "custom", "name": "apply_patch"}`, `"input":"*** Begin Patch\n*** Add File: /dir/f\n+a\n+b\n*** End Patch\n"`},
		{"/v1/messages", shell, `"text":""`},
	} {
		s := &Server{Script: []Step{{Write: "f", Text: "a\nb\n"}}, Dir: "/dir", Log: io.Discard}
		if got := post(t, s, c.path, `{"tools": [`+shell+`, `+c.tools+`]}`); !strings.Contains(got, c.want) {
			t.Errorf("%s with %s: %q lacks %q", c.path, c.tools, got, c.want)
		}
	}
}

func TestOtherRequests(t *testing.T) {
	s := &Server{Script: []Step{{Say: "SAID"}}, Log: io.Discard}
	for path, want := range map[string]string{
		"/v1/models": `"data":[]`, "/v1/messages/count_tokens": `"input_tokens"`,
		"/v1beta/models/m:countTokens": `"totalTokens"`, "/elsewhere": `"error"`,
	} {
		if got := post(t, s, path, "{}"); !strings.Contains(got, want) {
			t.Errorf("%s: %q lacks %q", path, got, want)
		}
	}
	r := httptest.NewRequest("GET", "/v1/responses", nil)
	r.Header.Set("Upgrade", "websocket")
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != http.StatusUpgradeRequired {
		t.Errorf("an upgrade gets status %d", w.Code)
	}
}

func post(t *testing.T, s *Server, path, body string) string {
	t.Helper()
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader(body)))
	return w.Body.String()
}
