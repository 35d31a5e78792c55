package discovery

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

// Only the project's hooks are not read after the time.
func TestUntil(t *testing.T) {
	root := testtree.New(t, "user/a/HOOK.md="+hookText("a"), "project/b/HOOK.md="+hookText("b"))
	found := Read(Dirs{User: filepath.Join(root, "user"), Project: filepath.Join(root, "project")}, Limits{Until: time.Now().Add(-time.Second)})
	if len(found.User) != 1 || len(found.Project) != 0 || len(found.Diagnostics) != 1 || found.Diagnostics[0].Code != "scope-size" {
		t.Errorf("got %+v", found)
	}
}

// A HOOK.md that is not used is not read, only looked for (D40).
func TestUnread(t *testing.T) {
	hook := func(name string) string {
		return "hooks/" + name + "/HOOK.md=---\nname: " + name + "\ndescription: d\ntrigger: pre-tool-call\n---\n"
	}
	root := testtree.New(t, hook("reviewed"), hook("other"), "hooks/reviewed-empty/", "hooks/reviewed-folder/HOOK.md/")
	var got []string
	review := &Review{Copies: map[string]bool{"reviewed": true, "reviewed-empty": true, "reviewed-folder": true}, Others: map[string]bool{"other": true}}
	for _, h := range Read(Dirs{Project: filepath.Join(root, "hooks")}, Limits{Review: review}).Project {
		got = append(got, fmt.Sprint(h.Folder, " ", h.Trigger, " ", h.File != ""))
	}
	if want := []string{"other pre-tool-call true", "reviewed  true", "reviewed-folder  true"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
