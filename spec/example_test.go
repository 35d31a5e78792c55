package spec_test

import (
	"fmt"

	"github.com/agent-hooks/agent-hooks/spec"
)

func ExampleEvents() {
	for _, e := range spec.Events()[:3] {
		fmt.Printf("%s (%s): a block means %s\n", e.Event, e.Category, e.Block)
	}
	// Output:
	// pre-session (session): a block means the session does not start
	// post-session (session): a block means the reason is reported back; the session is over
	// pre-agent-turn (turn): a block means the prompt is not processed
}

// A matcher for Shell or for Bash matches the shell tool of every agent.
func ExampleToolNames() {
	fmt.Println(spec.ToolNames("run_shell_command"))
	fmt.Println(spec.ToolNames("@github/create_issue"))
	fmt.Println(spec.ToolNames("my_own_tool"))
	// Output:
	// [run_shell_command Shell Bash]
	// [@github/create_issue mcp__github__create_issue]
	// [my_own_tool]
}

func ExampleDiagnostic_String() {
	fmt.Println(spec.Diagnostic{
		Path: "guard/HOOK.md", Line: 4, Column: 1, Severity: spec.Error,
		Code: "unknown-key", Message: `unknown key "tigger"; did you mean "trigger"?`,
	})
	// Output:
	// guard/HOOK.md:4:1: unknown key "tigger"; did you mean "trigger"? [unknown-key]
}
