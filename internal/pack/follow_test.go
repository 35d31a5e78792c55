package pack

import (
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/trust"
)

func TestDeclines(t *testing.T) {
	folder := func(name, text string) *trust.Folder {
		return &trust.Folder{Name: name, Files: []trust.File{{Path: "HOOK.md", Data: []byte("---\nname: " + name + "\n" + text)}, {Path: "tests/a.yaml", Data: []byte(name)}}}
	}
	f := Followed{Declined: map[string]string{"one": print(folder("one", "x"))}}
	for _, test := range []struct {
		name, text, want string
	}{
		{"one", "x", "you declined it"},
		{"one", "changed", "you declined it"},
		{"two", "x", "it is one, which you declined, under another name"},
		{"two", "y", ""},
	} {
		if got := f.Declines(folder(test.name, test.text)); got != test.want {
			t.Errorf("%s with %q: %q, want %q", test.name, test.text, got, test.want)
		}
	}
}
