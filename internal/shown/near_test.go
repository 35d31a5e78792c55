package shown

import "testing"

func TestNear(t *testing.T) {
	commands := []string{"run", "validate", "list", "why", "events", "spec", "version", "completion", "help"}
	triggers := []string{"pre-tool-call", "post-tool-call", "post-tool-call-failure", "pre-session"}
	tests := []struct {
		word       string
		candidates []string
		want       string // "" if no word is near
	}{
		{"run", commands, "run"},
		{"RUN", commands, "run"},
		{"rnu", commands, "run"}, // two letters swapped
		{"vlaidtae", commands, "validate"},
		{"runn", commands, "run"},         // one letter too many
		{"valdate", commands, "validate"}, // one letter missing
		{"halidote", commands, "validate"},
		{"halidota", commands, ""},    // three changes
		{"val", commands, "validate"}, // a unique beginning
		{"v", commands, ""},           // validate or version
		{"lisp", commands, "list"},
		{"ls", commands, ""}, // two mistakes in two letters are too many
		{"", commands, ""},
		{"anything", nil, ""},
		{"pre-tool-cal", triggers, "pre-tool-call"},
		{"pre-tool_call", triggers, "pre-tool-call"},
		{"PreToolCall", triggers, "pre-tool-call"},
		{"pre", triggers, ""},
		{"pre-s", triggers, "pre-session"},
		{"doc", []string{"log", "doctor"}, "doctor"}, // a beginning has precedence over two mistakes
		{"lo", []string{"lo", "log"}, "lo"},          // a match has precedence over a beginning
		{"ab", []string{"abx", "aby"}, "abx"},        // the first of equals
		{"größe", []string{"grosse", "grösse"}, "grösse"},
		{"ÉTÉ", []string{"été"}, "été"},
	}
	for _, test := range tests {
		got, ok := Near(test.word, test.candidates)
		if !ok {
			got = ""
		}
		if got != test.want || ok != (test.want != "") {
			t.Errorf("Near(%q, %q) = %q, %v, want %q", test.word, test.candidates, got, ok, test.want)
		}
	}
}

func FuzzNear(f *testing.F) {
	f.Add("valdate", "validate")
	f.Add("\xff\xfe", "ÿ")
	f.Add("", "")
	f.Fuzz(func(t *testing.T, word, candidate string) {
		got, ok := Near(word, []string{candidate})
		if ok && got != candidate {
			t.Errorf("Near(%q, %q) = %q", word, candidate, got)
		}
		if word != "" && word == candidate && !ok {
			t.Errorf("%q is not near itself", word)
		}
	})
}
