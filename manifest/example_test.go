package manifest_test

import (
	"fmt"

	"github.com/agent-hooks/agent-hooks/manifest"
)

func ExampleParse() {
	hook, diagnostics := manifest.Parse([]byte(`---
name: guard
description: Keeps rm out.
trigger: pre-tool-call
matcher:
  tool: Shell
metadata:
  on-failure: deny
---
Anything else is for people.
`), "guard")
	fmt.Println(len(diagnostics), hook.Name, hook.Trigger, hook.Tool, hook.Timeout, hook.OnFailure)
	// Output:
	// 0 guard pre-tool-call Shell 30s deny
}

// Check reports all problems at once, each with its position and a fix.
func ExampleCheck() {
	_, diagnostics := manifest.Check([]byte(`---
name: guard
description: Keeps rm out.
tigger: pre-tool-call
timeout: 5
matcher:
  pattern: "rm["
---
`), "guard")
	for _, d := range diagnostics {
		fmt.Println(d)
	}
	// Output:
	// 1:1: no key "trigger"; the format requires name, description and trigger [trigger]
	// 4:1: unknown key "tigger"; did you mean "trigger"? [unknown-key]
	// 5:10: timeout (milliseconds) is the number "5"; an integer from 100 to 600000; it counts milliseconds: for 5 s write 5000 [timeout]
	// 7:12: matcher.pattern does not compile: unterminated [] set; use the syntax of Python's re [pattern]
}
