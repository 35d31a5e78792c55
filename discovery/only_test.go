package discovery

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// A table for one event has the same hooks of that event, and the same hooks
// without a trigger, as a table for all events (D74).
func TestOnlyOneEvent(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 4))
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	protected := func(name string) bool { return name == "b" }
	differ := 0
	rounds := 40
	if os.Getenv("LONG_TESTS") != "" {
		rounds = 150
	}
	for range rounds {
		var files []string
		for _, scope := range []string{"user", "project"} {
			for range random.IntN(6) {
				name := pick("a", "b", "c", "d", "e", "é", "e\u0301")
				trigger := pick("trigger: pre-tool-call\n", "trigger: post-tool-call\n", "trigger: post-tool-call\n", "trigger: 'pre-session' # c\n",
					"trigger: no-event\n", "trigger: pre-tool-call\n  x\n", "metadata:\n  a: \"\n"+"trigger: post-tool-call\n\"\n", "trigger:\n  post-tool-call\n", "")
				text := "---\nname: " + pick(name, name, name, "other") + "\n" + pick("", "description: d\n", "description: d\n") + trigger +
					pick("", "priority: 7\n", "nonsense\n", "matcher: {tool: '('}\n") + pick("---\n", "---\n", "")
				files = append(files, fmt.Sprintf("%s/%s/HOOK.md=%s", scope, name, text))
				if pick("", "run") != "" {
					files = append(files, fmt.Sprintf("%s/%s/scripts/run.sh=exit 0", scope, name))
				}
			}
		}
		root := testtree.New(t, append(files, "user/", "project/")...)
		dirs := Dirs{User: filepath.Join(root, "user"), Project: filepath.Join(root, "project")}
		found := Read(dirs, Limits{})
		all, told := found.Table("/bin", protected), found.Diagnostics
		for _, rows := range all {
			for _, h := range rows { // found only by reading every name
				h.Diagnostics = slices.DeleteFunc(h.Diagnostics, func(d spec.Diagnostic) bool { return d.Code == "name-same" })
				if len(h.Diagnostics) == 0 {
					h.Diagnostics = nil
				}
			}
		}
		for _, event := range []spec.EventType{spec.PreToolCall, spec.PostToolCall, spec.PreSession} {
			found := Read(dirs, Limits{Only: event})
			only, toldOnly := found.Table("/bin", protected), found.Diagnostics
			for _, part := range []spec.EventType{event, ""} {
				if d := cmp.Diff(all[part], only[part], cmpopts.IgnoreUnexported(Hook{})); d != "" {
					t.Fatalf("%q of the table for %s (-all +only)\n%s\n%q", part, event, d, files)
				}
			}
			if d := cmp.Diff(told, toldOnly); d != "" {
				t.Fatalf("diagnostics for %s\n%s", event, d)
			}
			if !cmp.Equal(all, only, cmpopts.IgnoreUnexported(Hook{})) {
				differ++
			}
		}
	}
	if differ == 0 {
		t.Error("no file was skipped")
	}
}

// Only the project's hooks are not read after the time.
func TestUntil(t *testing.T) {
	root := testtree.New(t, "user/a/HOOK.md="+hookText("a"), "project/b/HOOK.md="+hookText("b"))
	found := Read(Dirs{User: filepath.Join(root, "user"), Project: filepath.Join(root, "project")}, Limits{Until: time.Now().Add(-time.Second)})
	if len(found.User) != 1 || len(found.Project) != 0 || len(found.Diagnostics) != 1 || found.Diagnostics[0].Code != "scope-size" {
		t.Errorf("got %+v", found)
	}
}

// A HOOK.md that is not used is not read, only looked for (D74).
func TestUnread(t *testing.T) {
	hook := func(name string) string {
		return "hooks/" + name + "/HOOK.md=---\nname: " + name + "\ndescription: d\ntrigger: pre-tool-call\n---\n"
	}
	root := testtree.New(t, hook("reviewed"), hook("other"), "hooks/reviewed-empty/", "hooks/reviewed-folder/HOOK.md/")
	var got []string
	review := &Review{Copies: map[string]bool{"reviewed": true, "reviewed-empty": true, "reviewed-folder": true}, Others: func() map[string]bool { return map[string]bool{"other": true} }}
	for _, h := range Read(Dirs{Project: filepath.Join(root, "hooks")}, Limits{Review: review}).Project {
		got = append(got, fmt.Sprint(h.Folder, " ", h.Trigger, " ", h.File != ""))
	}
	if want := []string{"other pre-tool-call true", "reviewed  true", "reviewed-folder  true"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
