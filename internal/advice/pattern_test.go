package advice

import "testing"

func TestFindPattern(t *testing.T) {
	for _, test := range []struct{ source, input, kind, to string }{
		{"npm publish", `{"command": "npm  publish"}`, "space", `npm\s+publish`},
		{`a ((b c){2}) d`, `{"a": "a  b  cb c d"}`, "space", `a\s+((b\s+c){2})\s+d`},
		{"sudo ", `{"command": "sudo\tls"}`, "space", `sudo\s+`},
		{" --force", `{"command": "git push\t--force"}`, "space", `\s+--force`},
		{"NPM publish", `{"command": "npm publish"}`, "case", "(?i)NPM publish"},
		{"^rm", `{"command": "sudo rm x"}`, "anchor", `\brm`},
		{"^rm", `{"command": "npm run format"}`, "", ""},
		{"^rm", `{"command": "ls\nrm x"}`, "anchor", `\brm`},
		{`\.py$`, `{"command": "python x.py -v"}`, "anchor", `\.py\b`},
		{`^rm$`, `{"command": "sudo rm x"}`, "anchor", `\brm\b`},
		{`\\.py$`, `{"file_path": "x.py"}`, "escape", `\.py$`},
		{`rm\\s+-rf`, `{"command": "rm  -rf"}`, "escape", `rm\s+-rf`},
		{`"file_path": "x"`, `{"command": "x"}`, "", ""},
		{"cargo build", `{"command": "npm test"}`, "", ""},
		{"rm (?!-i)", `{"command": "rm -i"}`, "", ""},
		{"(?x) rm (?!-i)", `{"command": "rm-i"}`, "", ""},

		{`\\.py$`, `{"command": "rm a.pyc"}`, "", ""},

		// No change that would match everything, or void an allow-list.
		{`^$`, `{"command": "x"}`, "", ""},
		{`^a*$`, `{"command": "b"}`, "", ""},
		{`^(?:npm )?x?$`, `{"command": "b"}`, "", ""},
		{`*`, `{"command": "b"}`, "", ""},
		{`^(?!sudo )rm`, `{"command": "sudo rm x"}`, "", ""},
		{`^.$`, `{"command": "ls"}`, "", ""},
		{`^.{1,3}$`, `{"command": "abcd"}`, "", ""},
		{`^\S+$`, `{"command": "rm -rf /"}`, "", ""},
		{`^\w*$`, `{"command": "rm -rf /"}`, "", ""},
		{`^\s*$`, `{"command": "ls"}`, "", ""},
		{`^(.)$`, `{"command": "ls"}`, "", ""},
		{`^[a-z ]*$`, `{"command": "rm -rf /"}`, "", ""},
		{`^[^;&|]+$`, `{"command": "ls; rm"}`, "", ""},
		{`^[^;&|]+$`, `{"command": "ls\nls; rm"}`, "", ""},
		{`^git|^[a-z]+$`, `{"command": "ls; rm"}`, "", ""},

		// A word that continues.
		{`\.py$`, `{"command": "rm a.pyc"}`, "", ""},
		{`\.js$`, `{"file_path": "a.jsx"}`, "", ""},
		{`^rm$`, `{"command": "rmdir"}`, "", ""},
		{`publish$`, `{"command": "npm publisher"}`, "", ""},
		{`^(rm|mv)`, `{"command": "farm"}`, "", ""},
		{`rm\b`, `{"command": "rmdir"}`, "", ""},
		{`*.py`, `{"file_path": "x/a.pyc"}`, "", ""},

		// Findings of Check, if they are the cause.
		{"rm | mv", `{"command": "ls"}`, "", ""},
		{"evil.com", `{"command": "curl evil.org"}`, "", ""},
		{"^src/*.ts", `{"command": "lib/a.ts"}`, "", ""},

		// A space at an end.
		{"git push ", `{"command": "git pushd"}`, "", ""},
		{"GIT PUSH ", `{"command": "git pushd"}`, "", ""},
		{"rm / ", `{"command": "rm /home"}`, "", ""},
		{" push", `{"command": "git-xpush"}`, "", ""},
		{" -f", `{"command": "rm-f"}`, "", ""},

		// Special characters, also in expressions that do not compile.
		{`a+b`, `{"command": "a+b"}`, "literal", `a\+b`},
		{`rm (-rf)`, `{"command": "rm (-rf)"}`, "literal", `rm \(-rf\)`},
		{`[WIP] x`, `{"command": "git commit -m '[WIP] x'"}`, "literal", `\[WIP\] x`},
		{`function(x)`, `{"command": "echo function(x)"}`, "literal", `function\(x\)`},
		{`Math.max(a, b)`, `{"command": "Math.max(a, b)"}`, "literal", `Math\.max\(a, b\)`},
		{`what?!`, `{"command": "echo what?!"}`, "literal", `what\?!`},
		{`c++`, `{"command": "g++ c++.c"}`, "literal", `c\+\+`},
		{`$(rm`, `{"command": "$(rm"}`, "literal", `\$\(rm`},
		{`$HOME`, `{"command": "echo $HOME"}`, "literal", `\$HOME`},
		{`eval(`, `{"command": "ls"}`, "", ""},
		{"\brm", `{"command": "rm x"}`, "escape", `\brm`},
		{`*.py`, `{"file_path": "x/a.py"}`, "glob", `\.py$`},
	} {
		m := Matcher{Pattern: test.source, Subject: subject("Bash", test.input)}
		change, ok := m.Find("pattern")
		if ok != (test.to != "") || change.Kind != test.kind && ok || change.To != test.to && ok {
			t.Errorf("%q on %.100s: %+v, %v; want %s %q", test.source, test.input, change, ok, test.kind, test.to)
		}
	}
}
