package trust

import (
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/discovery"
)

func TestIsText(t *testing.T) {
	for text, want := range map[string]bool{
		"":                        true,
		"text":                    true,
		"caf\xe9 au lait":         true,
		"\x89PNG\r\n\x1a\n":       true,
		"a\x00b":                  false,
		"\x80\x81\x82\x83\x84abc": false,
		"\ufffd\ufffd\ufffd":      true,
	} {
		if got := (File{Data: []byte(text)}).IsText(); got != want {
			t.Errorf("%q is text: %t", text, got)
		}
	}
}

// The reason why a hook cannot run is not replaced by one that --unshown removes.
func TestRefusedCandidate(t *testing.T) {
	root, guard, store := newProject(t, "one")
	put(t, guard, "HOOK.md=no front matter", "binary=\x00")
	s, _ := Open(store)
	r, err := NewCandidate(discovery.ReadHook(guard, discovery.ProjectScope), s.History(root), false, false, "")
	if err != nil || r.Refused == "" || strings.Contains(r.Refused, "--unshown") {
		t.Errorf("refused: %q, %v", r.Refused, err)
	}
}
