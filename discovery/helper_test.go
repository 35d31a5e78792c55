package discovery

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

// A folder's name is arbitrary, so it must not forge a second line.
func TestOneLine(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such names")
	}
	const evil = "a\nagent-hooks: warning: all is well\x1b[0m"
	root := testtree.New(t, ".git/", evil+"/.agents/hooks/h/scripts/run=exit", evil+"/b/.agents/hooks/", evil+"/b/c/.agents=", evil+"/b/c/d/.agents/hooks->x")
	_, messages := place.NewSearch([]place.Candidate{{Name: "cwd", Dir: filepath.Join(root, evil, "b/c/d")}}).FindProject("", nil)
	if len(messages) != 3 {
		t.Errorf("got %q", messages)
	}
	h := &Hook{Dir: filepath.Join(root, evil, ".agents/hooks/h")}
	_, err := h.Entry("")
	messages = append(messages, err.Error(), (&paths.OwnerError{Path: h.Dir, Fix: "chmod go-w " + paths.ShellWord(h.Dir)}).Error())
	testtree.Plant(h.Dir, "HOOK.md="+hookText("h"))
	for _, d := range ReadHook(h.Dir, UserScope).Validate("") {
		messages = append(messages, d.Message)
	}
	for _, message := range messages {
		if strings.ContainsAny(message, "\n\x1b") {
			t.Errorf("%q", message)
		}
	}
}
