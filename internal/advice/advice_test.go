package advice

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

func show(found []Finding) string {
	var lines []string
	for _, f := range found {
		lines = append(lines, f.Code+": "+f.Message())
	}
	return strings.Join(lines, "\n")
}

func TestTool(t *testing.T) {
	unknown := func(word, rest string) string {
		return "tool-unknown: names `" + word + "`, which is not in the table of tools; " + rest
	}
	own := func(word string) string { return unknown(word, "fine if only one agent or a server has it") }
	list := func(word, names string) string { return unknown(word, "separate names with |: `"+names+"`") }
	meant := func(word, name string) string { return unknown(word, "did you mean `"+name+"`?") }
	some := func(word, name string) string {
		return "tool-some: names `" + word + "`, which only some agents have; `" + name + "` matches in all of them"
	}
	const feed = "pattern-slip: ends with a newline, which must also match; write it on one line, or after `|-`"
	for source, want := range map[string]string{
		"Bash":                   "",
		"Shell|WriteFile|^mcp__": "",
		"^(?!Bash$)":             "",

		"(?!x)y":                 "",
		"run_shell_command":      some("run_shell_command", "Shell"),
		"execute_command":        some("execute_command", "Shell"),
		"^exec$":                 some("exec", "Shell"),
		"view|run_in_terminal":   some("view", "ReadFile") + "\n" + some("run_in_terminal", "Shell"),
		"run_shell_command|Bash": "", "exec|Shell|view|Read": "", "bash|Bash": "", "apply_patch": "", "NotebookEdit": "", "PowerShell": "", "(?i)exec": "",
		"MultiEdit": "", "run_.*": "", "exec_server": own("exec_server"), "search_codebase": "", "developer__shell": "", "mcp__view": "",
		"tool": own("tool"), "tools": own("tools"), "b.sh": "", "deploy.sh$": "tool-unknown: matches no tool in the table; fine if only one agent or a server has it",
		"Bash\n": feed, "Bash|Edit\n": feed, "mcp__x__\n": feed,
		`Bash\(.*\)`:       "tool-unknown: matches no tool; it looks like a permission rule; write `tool: Bash`",
		`^Bash\(npm .*\)$`: "tool-unknown: matches no tool; it looks like a permission rule; write `tool: Bash`, and the text in parentheses as an expression in `pattern`",

		"Bash (git push)": "tool-unknown: matches no tool; it looks like a permission rule; write `tool: Bash`, and the text in parentheses as an expression in `pattern`",

		"readd": meant("readd", "Read"), "shl": meant("shl", "Shell"),
		"^(Bash|Edit)$":     "",
		"Notebook":          "",
		"Terminal|Shell":    "",
		"Terminal":          "tool-some: names `Terminal`, which is only found in `runTerminalCommand`, a name that only some agents have; `Shell` matches in all of them",
		"ExitPlanMode":      own("ExitPlanMode"),
		"^Deploy$":          own("Deploy"),
		"Lint":              own("Lint"), // not list
		"my-tool|your_tool": own("my-tool") + "\n" + own("your_tool"),
		"Frobnicate":        own("Frobnicate"),
		"Bash|Frobnicate":   own("Frobnicate"),
		"shell_cmd":         own("shell_cmd"),
		"^Frob.*":           "tool-unknown: matches no tool in the table; fine if only one agent or a server has it",
		"Bash, ?Write":      "tool-unknown: matches no tool in the table; fine if only one agent or a server has it",
		`Bash\|Write`:       "tool-unknown: matches no tool in the table; fine if only one agent or a server has it",
		"foo bar":           own("foo bar"),

		strings.Repeat("Frob|", maxNames) + "x": "",
		strings.Repeat("Frob", 20):              own(strings.Repeat("Frob", 10) + "…"),

		"Bash,Write":         list("Bash,Write", "Bash|Write"),
		"Bash, Write":        list("Bash, Write", "Bash|Write"),
		"Bash Write":         list("Bash Write", "Bash|Write"),
		"^(Bash or Deploy)$": list("Bash or Deploy", "Bash|Deploy"),
		"Bash | Write":       meant("Bash ", "Bash") + "\n" + meant(" Write", "Write"),
		`"Bash"`:             meant(`"Bash"`, "Bash"),

		"Write|Edit|MultiEdit":  "",
		"mcp__.*":               "",
		"^mcp_":                 "",
		`mcp__(a|b)__\w+`:       "",
		"__delete$":             "",
		`^[a-z]+__[a-z]+$`:      "",
		"@github/.*":            "",
		"@github/issue":         "",
		"MCP:issue":             "",
		"^(Bash|Shell|run_.*)$": "",
		"(?i)^bash$":            "",
		`\bBash\b`:              "",
		"^(?!Bash)":             "",
		"^[A-Z]":                "",
		"Notebook(Edit|Read)":   "",
		"srv__lst":              "",
		"mcp__github__.*":       "",
		"Bsh":                   "tool-unknown: names `Bsh`, which is not in the table of tools; did you mean `Bash`?",
		"Bash|Edti":             "tool-unknown: names `Edti`, which is not in the table of tools; did you mean `Edit`?",
		"^(?:Raed|Write)$":      "tool-unknown: names `Raed`, which is not in the table of tools; did you mean `Read`?",
		"run_shel_command":      "tool-unknown: names `run_shel_command`, which is not in the table of tools; did you mean `run_shell_command`?",
		"bash":                  "tool-case: names `bash`, which only some agents have, and case counts; `Bash` matches in all of them",
		"^(edit|Write)$":        "tool-case: names `edit`, which only some agents have, and case counts; `Edit` matches in all of them",
		"SHELL":                 "tool-case: names `SHELL`, but case counts; write `Shell`",
		"(?i)SHELL":             "",
		"":                      "pattern-everything: is empty, which matches everything; remove the key",
		"(?i:bash)":             "",
		"Bash(npm)":             "tool-unknown: matches no tool; it looks like a permission rule; write `tool: Bash`, and the text in parentheses as an expression in `pattern`",
		"Bash(npm:*)":           "tool-unknown: matches no tool; it looks like a permission rule; write `tool: Bash`, and the text in parentheses as an expression in `pattern`",
		"Bash()":                "", // odd, and matches
		"^$":                    "tool-unknown: matches no tool in the table; fine if only one agent or a server has it",
		".*":                    "pattern-everything: matches everything; remove the key, or an extra |",
		"^.+$":                  "pattern-everything: matches everything; remove the key, or an extra |",
		"Bash|":                 "pattern-everything: matches everything; remove the key, or an extra |",
	} {
		if got := show(checkTool(source)); got != want {
			t.Errorf("%s\n got %s\nwant %s", source, got, want)
		}
	}
}

func TestPattern(t *testing.T) {
	const everything = "pattern-everything: matches everything; remove the key, or an extra |"
	for source, want := range map[string]string{
		// no findings
		`^rm`: "", `rm -rf`: "", `\.py$`: "", `\.env\b`: "", `^$`: "", `^a|^b`: "", `^a$|^b$`: "", `^a|b`: "", `git.push`: "", `a.b.c`: "",
		`.*\.py$`: "", `^\s*npm\s`: "", `rm\s+-[a-z]*r`: "", `^.{3}$`: "", `^x*$`: "", `curl.*\|.*sh`: "", `.envelope`: "", `.pyramid`: "",
		`.py[a-z]+`: "", `foo.(py|rm)`: "", `[.]py$`: "", `\\.env`: "", `"name":"x`: "", `"command": "rm`: "", `"command":\s*"`: "",
		`^"quoted"`: "", `(?m)^"command"`: "", `\bfoo\B`: "", `foo\b`: "", `$`: everything, `a$\n`: "", `(?m)a$\n^b`: "", `a(?:^b)?`: "",
		`(^a)*b`: "", `(?s:.)x`: "", `[\w-]`: "", `a\Z`: "", `(?<=a)^`: "", `(?=^a)a`: "", `a|b`: "",
		`\S+ x`: "", `[^x]`: "",
		// everything
		`.*`: everything, `.`: everything, `.+`: everything, `^.*$`: everything, `(?:)`: everything, `()`: everything, `x*`: everything,
		`^`: everything, `[\s\S]*`: everything, `rm|.*`: everything, `(a|b)?`: everything, `(?i)`: everything,
		`rm|`:    everything,
		`(|rm)`:  everything,
		`rm||mv`: everything,
		// empty, or in JavaScript syntax
		``: "pattern-everything: is empty, which matches everything; remove the key",

		`/rm/`: "",

		`^rm|mv$`: "pattern-slip: anchors only its first alternative at the start, and only its last at the end; write `^(?:rm|mv)$`",
		`^a|b|c$`: "pattern-slip: anchors only its first alternative at the start, and only its last at the end; write `^(?:a|b|c)$`",
		"\brm":    `pattern-slip: has the control character '\b', which YAML makes from a backslash in double quotes; use single quotes`,
	} {
		if got := show(checkPattern(source)); got != want {
			t.Errorf("%s\n got %s\nwant %s", source, got, want)
		}
		if _, err := matcher.Compile("", source); err != nil {
			t.Errorf("%s: %v", source, err)
		}
	}
}

func TestFew(t *testing.T) {
	if n := len(checkTool(strings.Repeat("Bsh|", 20) + "Bsh")); n != 8 {
		t.Errorf("%d findings", n)
	}
}

func TestHint(t *testing.T) {
	for source, want := range map[string]string{
		"*":           "to match everything, remove the key",
		"*.py":        `it looks like a glob; the expression is \.py$`,
		"src/**/*.ts": `it looks like a glob; the expression is \.ts$`,
		"**/x":        "it looks like a glob; in an expression, .* matches any text",
		"Bash(*)":     "it looks like a permission rule; write `tool: Bash`",
		"Bash(git *)": "it looks like a permission rule; write `tool: Bash`, and the text in parentheses as an expression in `pattern`",
		"rm[":         "",
		"(":           "",
	} {
		if got := Hint("tool", source); got != want {
			t.Errorf("%s\n got %s\nwant %s", source, got, want)
		}
	}
}

// The name of every tool is accepted; the only finding is that only some agents use the name.
func TestKnownToolsPass(t *testing.T) {
	for _, name := range spec.KnownTools() {
		for _, f := range checkTool("^" + name + "$") {
			if f.Code != Case && f.Code != Some {
				t.Errorf("%s: %s", name, f.Message())
			}
		}
	}
	for _, name := range spec.PortableTools() {
		if diff := cmp.Diff([]Finding(nil), checkTool(name)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// FuzzVerdicts checks the findings "never" and "everything" against the engine, and that Check
// does not panic and is fast.
func FuzzVerdicts(f *testing.F) {
	for _, source := range []string{`a^b`, `$x`, `a$\n`, `.*`, `x|`, `^.*$`, `a\b-`, `(?m)a\n^b`, `(?!a?)`, `(a|b\b)*c`, `[^\w\W]`, `(?i)k\bK`, `(?:a?$)b?`, `\bb`, `^\S`, `.{1,2}`, `(?s)^.+$`, `((a)|b)+?$\Z`, `(?<=a$)b`, `\n$\n`, `^(?:.*|x)$`} {
		f.Add(source, "a\nb a-b\n")
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		if len(source) > 2000 || len(text) > 2000 {
			return
		}
		began := time.Now()
		tool, pattern := checkTool(source), checkPattern(source)
		Hint("tool", source)
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%q took %v", source, took)
		}
		for _, found := range append(tool, pattern...) {
			if found.Offset < 0 || found.Offset > len(source) {
				t.Errorf("%q: offset %d", source, found.Offset)
			}
		}
		m, err := matcher.Compile("", source)
		if err != nil || !decidable(source) {
			return
		}
		line := strings.ToValidUTF8(strings.NewReplacer("\n", "", "\r", "").Replace(text), "")
		if whole(pattern, Everything) && !m.Match(matcher.Subject{Text: "{" + line + "}"}).Matched {
			t.Errorf("%q does not match everything: not {%s}", source, line)
		}
		if whole(tool, Everything) && !m.Match(matcher.Subject{Text: "x" + line}).Matched {
			t.Errorf("%q does not match everything: not x%s", source, line)
		}
	})
}

// decidable excludes expressions that would slow down the fuzzer.
func decidable(source string) bool {
	return strings.Count(source, "*")+strings.Count(source, "+")+strings.Count(source, "{") < 6
}

// whole reports whether a finding has a code.
func whole(found []Finding, code string) bool {
	return slices.ContainsFunc(found, func(f Finding) bool { return f.Code == code })
}

// Check is fast even for hostile expressions.
func TestBoundedTime(t *testing.T) {
	size := 2 << 10
	if os.Getenv("LONG_TESTS") != "" {
		size = 8 << 10
	}
	for _, part := range []string{"{", "(", "a|", "[a-", `\b`, "a?", ".", ".p?", `"command`, "|", "(a|", "(?=", "(?:a?|b)*", "^$", "x{1", "Bash|", "bsh|"} {
		for _, n := range []int{90, size / len(part)} {
			source := strings.Repeat(part, n)
			for _, closing := range []string{"", strings.Repeat(")", n), "]"} {
				source := source + closing
				began := time.Now()
				checkPattern(source)
				checkTool(source)
				Hint("tool", source)
				if took := time.Since(began); took > 10*time.Second {
					t.Errorf("%d times %q and %.3q took %v", n, part, closing, took)
				}
			}
		}
	}
}

func checkTool(source string) []Finding    { return Check("tool", source) }
func checkPattern(source string) []Finding { return Check("pattern", source) }
