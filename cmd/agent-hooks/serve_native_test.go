package main

import (
	"fmt"
	"testing"
)

// TestServeNative checks that hooks.run answers an agent's own payload as run
// --agent does.
func TestServeNative(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.hook("guard", "echo no >&2; exit 2", "matcher: {tool: Shell, pattern: 'rm -rf'}")
	for params, want := range map[string]string{
		`{"agent":"pi","payload":{"hook_event_name":"tool_call","toolName":"bash","input":{"command":"rm -rf /"}}}`:               "map[blocked:true status:0 stderr: stdout:{\"block\":\"hook guard: no\"}\n]",
		`{"agent":"pi","payload":{"hook_event_name":"tool_call","toolName":"bash","input":{"command":"ls"}}}`:                     `map[blocked:false status:0 stderr: stdout:]`,
		`{"agent":"kimi-cli","payload":{"hook_event_name":"PreToolUse","tool_name":"Shell","tool_input":{"command":"rm -rf /"}}}`: "map[blocked:true status:2 stderr:hook guard: no\n stdout:]",
		`{"agent":"kimi-cli","event":"PreToolUse","payload":{"tool_name":"Shell","tool_input":{"command":"rm -rf /"}}}`:           "map[blocked:true status:2 stderr:hook guard: no\n stdout:]",
		`{"agent":"nobody","payload":{}}`:               "-32602",
		`{"payload":{}}`:                                "-32602",
		`{"agent":"pi","payload":[]}`:                   "-32602",
		`{"agent":"pi","event":"nothing","payload":{}}`: "-32602",
		`{"agent":"pi","payload":{},"input":{}}`:        "-32602",
		`{"agent":"pi","payload":{},"report":true}`:     "-32602",
	} {
		r := s.call("hooks.run", params)
		got := fmt.Sprint(r.Result)
		if r.Error != nil {
			got = fmt.Sprint(r.Error.Code)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", params, got, want)
		}
	}
}
