package reading

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestRead(t *testing.T) {
	const patch = `*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch`
	for _, c := range []struct{ input, want string }{
		{`{"cmd":"ls"}`, `command cmd "ls"`},
		{`{"cmd":"ls","CMD":"ls"}`, `command - "ls"`},
		{`{"cmd":["bash","-lc","rm x"]}`, `command - "bash -lc 'rm x'"`},
		{`{"commands":["git add .","git push"]}`, `command - "git add .", command - "git push"`},
		{`{"commands":["rm","-rf","/"]}`, `command - "rm", command - "-rf", command - "/", command - "rm -rf /"`},
		{`{"cmd":["cd /","rm -rf x"]}`, `command - "cd /", command - "rm -rf x"`},
		{`{"cmd":[["rm","x"],1]}`, `command - "rm x"`},
		{`{"a":{"command":"rm"},"b":{"args":["-rf","x y"],"command":"rm"}}`, `command - "rm", command - "rm -rf 'x y'"`},
		{`{"command":"rm","args":"-rf /"}`, `command - "rm -rf /"`},
		{`{"command":{"text":"rm","more":["x"]}}`, `command - "rm", command - "x"`},
		{`{"arguments":{"command":"rm"}}`, `command - "rm"`},
		{`"{\"arguments\":\"{\\\"cmd\\\":\\\"rm\\\"}\"}"`, `command - "rm"`},
		{`{"edits":[{"filePath":"a"},{"filePath":"b"}],"paths":["c"]}`, `file_path - "a", file_path - "b", file_path - "c"`},
		{`{"note":"` + patch + `"}`, `file_path - "a", file_path - "b"`},
		{`"` + patch + `"`, `file_path - "a", file_path - "b"`},
		{`{"cmd":"` + patch + `"}`, `file_path - "a", file_path - "b", command cmd "*** Begin Patch\n*** Update File: a\n*** Move to: b\n*** End Patch"`},
		{`{"content":"` + strings.Repeat("x", 30_000) + `","path":"a"}`, `file_path path "a"`},
		{`{"content":"\n` + patch + `\n` + strings.Repeat("x", 30_000) + `"}`, `file_path - "a", file_path - "b"`},
		{`{"content":" {\"cmd\":\"rm\",\"x\":\"` + strings.Repeat("x", 30_000) + `\"}"}`, `command - "rm"`},
		{`{"path":7,"command":null,"file":""}`, ""},
		{`{"note":"*** Begin Patch\nx"}`, "unreadable"},
		{`{"cmd":"ls"`, "unreadable"},
		{`{"x":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, "unreadable"},
	} {
		r := readInput([][]byte{[]byte(c.input)}, false)
		var got []string
		for _, v := range r.Values {
			kind, key := "file_path", v.Key
			if v.IsCommand() {
				kind = "command"
			}
			if key == "" {
				key = "-"
			}
			got = append(got, fmt.Sprintf("%s %s %q", kind, key, v.Text))
		}
		text := strings.Join(got, ", ")
		if r.Unreadable {
			text = strings.TrimSpace(text + " unreadable")
		}
		if text != c.want {
			t.Errorf("%.80s: %s, want %s", c.input, text, c.want)
		}
	}
}

// TestReadIsLinear reads inputs of megabytes that would take minutes in quadratic
// time.
func TestReadIsLinear(t *testing.T) {
	const n = 100_000
	quoted := `"rm"`
	for range 4 {
		quoted = fmt.Sprintf("%q", `{"cmd":`+quoted+`}`)
	}
	for name, input := range map[string]string{
		"keys":      `{` + strings.Repeat(`"cmd":"a","cmd":"b",`, n) + `"x":1}`,
		"different": `[` + strings.Repeat(`{"cmd":"a","args":["b"]},`, n) + `1]`,
		"own":       `{` + strings.Repeat(`"cmd":"a",`, n) + `"args":["` + strings.Repeat("x", n) + `"]}`,
		"patch":     `{"p":"*** Begin Patch` + strings.Repeat(`\n*** Add File: a`, n) + `"}`,
		"strings":   `[` + strings.Repeat(quoted+",", 20_000) + `1]`,
		"braces":    `["` + strings.Repeat("[", n) + `"]`,
		"key":       `{"` + strings.Repeat("aB", n) + `":"x"}`,
	} {
		begun := time.Now()
		readInput([][]byte{[]byte(input)}, false)
		if took := time.Since(begun); took > 10*time.Second {
			t.Errorf("%s: %d bytes took %v", name, len(input), took)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"a":[{"cmd":["x"],"args":["y"]}],"path":"*** Begin Patch"}`), true)
	f.Fuzz(func(t *testing.T, input []byte, isShell bool) {
		for _, v := range readInput([][]byte{input}, isShell).Values {
			if strings.TrimSpace(v.Text) == "" {
				t.Errorf("an empty value in %q", input)
			}
		}
	})
}
