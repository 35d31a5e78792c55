package watch

import (
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

func TestWatchBranches(t *testing.T) {
	t.Parallel()
	if _, err := osexec.LookPath("git"); err != nil {
		t.Skip("no git")
	}
	root := testtree.New(t, "home/", "p/README=x")
	git := func(args ...string) {
		t.Helper()
		cmd := osexec.Command("git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.autocrlf=false"}, args...)...)
		cmd.Dir = filepath.Join(root, "p")
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "-b", "main")
	git("add", ".")
	git("commit", "-qm", "none")
	git("checkout", "-q", "-b", "hooks")
	var fifty, changed []string
	for i := range 50 {
		name := fmt.Sprintf("h%02d", i)
		plantAll(t, root, "p/.agents/hooks/"+name+"/HOOK.md="+hookText(name), "p/.agents/hooks/"+name+"/scripts/run.sh=exit 0")
		fifty = append(fifty, "project/"+name+" active 100")
		changed = append(changed, "project/"+name+" active 7")
	}
	git("add", ".")
	git("commit", "-qm", "fifty")
	git("checkout", "-q", "-b", "changed")
	for i := range 50 {
		name := fmt.Sprintf("h%02d", i)
		plantAll(t, root, "p/.agents/hooks/"+name+"/HOOK.md="+hookText(name, priority(7)))
	}
	git("commit", "-qam", "changed")
	git("checkout", "-q", "main")
	w, first := start(t, root, false)
	if len(first.Table) != 0 {
		t.Fatalf("hooks on main: %s", tableText(first.Table))
	}
	w.each = func(c Change) {
		if len(c.Diagnostics) > 0 {
			t.Errorf("reported a folder on the way: %v", c.Diagnostics)
		}
	}
	for range 2 {
		git("checkout", "-q", "hooks")
		w.state(fifty...)
		git("checkout", "-q", "changed")
		w.state(changed...)
		git("checkout", "-q", "main")
		w.state("")
	}
}

func TestWatchFoldersThatComeLater(t *testing.T) {
	t.Parallel()
	w, first := start(t, testtree.New(t, "p/.git/", "home/"), false)
	if len(first.Table) != 0 {
		t.Fatalf("hooks at first: %s", tableText(first.Table))
	}
	w.write(hookA, hookText("a"))
	w.state("project/a active 100")
	w.write("home/.config/agents/hooks/u/HOOK.md", hookText("u"))
	w.state("project/a active 100", "user/u active 100")
	w.write("home/.config/agents/hooks/v/HOOK.md", hookText("v"))
	w.state("project/a active 100", "user/u active 100", "user/v active 100")
	w.remove("home/.config")
	w.state("project/a active 100")
	w.write("home/.config/agents/hooks/u/HOOK.md", hookText("u"))
	w.state("project/a active 100", "user/u active 100")
}

func TestWatchNearerProject(t *testing.T) {
	t.Parallel()
	root := testtree.New(t, "home/", "p/x=y")
	plantAll(t, root, ".git/", ".agents/hooks/outer/HOOK.md="+hookText("outer"))
	w, _ := start(t, root, false)
	w.write(hookA, hookText("a"))
	w.state("project/a active 100")
	w.remove("p/.agents")
	w.state("project/outer active 100")
}

func TestWatchReplacedFolders(t *testing.T) {
	t.Parallel()
	w, _ := start(t, oneHook(t), false)
	// A hook's folder.
	plantAll(t, w.root, "other/HOOK.md="+hookText("a", priority(1)))
	w.rename("p/.agents/hooks/a", "old")
	w.rename("other", "p/.agents/hooks/a")
	w.state("project/a active 1")
	w.write(hookA, hookText("a", priority(2)))
	w.state("project/a active 2")
	// All hooks.
	plantAll(t, w.root, "others/a/HOOK.md="+hookText("a", priority(3)))
	w.rename("p/.agents/hooks", "old-hooks")
	w.rename("others", "p/.agents/hooks")
	w.state("project/a active 3")
	w.write(hookA, hookText("a", priority(4)))
	w.state("project/a active 4")
	// The project, removed and created again.
	for i := range 3 {
		w.remove("p")
		w.state("")
		w.write(hookA, hookText("a", priority(5+i)))
		w.state(fmt.Sprintf("project/a active %d", 5+i))
	}
	w.write(hookA, hookText("a", priority(9)))
	w.state("project/a active 9")
	w.rename("p", "away")
	w.state("")
	w.rename("away", "p")
	w.state("project/a active 9")
}

func TestWatchRootReplacedAtOnce(t *testing.T) {
	t.Parallel()
	w, _ := start(t, oneHook(t), false)
	for i := range 10 {
		w.remove("p")
		w.write(hookA, hookText("a", priority(i)))
		w.state(fmt.Sprintf("project/a active %d", i))
	}
}

func TestWatchLinks(t *testing.T) {
	t.Parallel()
	root := testtree.New(t, "home/", "p/.agents/hooks/",
		"one/HOOK.md="+hookText("a", priority(1)), "two/HOOK.md="+hookText("a", priority(2)),
		"text/b.md="+hookText("b", priority(1)), "p/.agents/hooks/b/HOOK.md->../../../../text/b.md",
		"p/.agents/hooks/a->../../../one", "scripts/shared.sh=exit 0", "p/.agents/hooks/b/scripts/run.sh->../../../../../scripts/shared.sh")
	w, _ := start(t, root, false)
	const b = "project/b active 1"
	w.save("one/HOOK.md", hookText("a", priority(11))) // the target of the link
	w.state("project/a active 11", b)
	w.link("../../../two", "p/.agents/hooks/swap")
	w.rename("p/.agents/hooks/swap", "p/.agents/hooks/a")
	w.state("project/a active 2", b)
	w.save("two/HOOK.md", hookText("a", priority(12)))
	w.state("project/a active 12", b)
	w.save("text/b.md", hookText("b", priority(3)))
	w.state("project/a active 12", "project/b active 3")
	w.save("scripts/shared.sh", "exit 1")
	w.until(func(c Change) bool { return summary(c) == "~b(scripts/run.sh)" })
	w.rename("p/.agents/hooks", "real")
	w.link("../../real", "p/.agents/hooks")
	w.write("real/c/HOOK.md", hookText("c"))
	// The links a and b are dangling there.
	w.until(func(c Change) bool { return strings.Contains(tableText(c.Table), "project/c active 100") })
	w.write("real/c/HOOK.md", hookText("c", priority(4)))
	w.until(func(c Change) bool { return strings.Contains(tableText(c.Table), "project/c active 4") })
}

// TestWatchLinkToDotFile checks that a file with a name like an editor's is watched if it is
// the target of a link, next to other watched files.
func TestWatchLinkToDotFile(t *testing.T) {
	t.Parallel()
	root := oneHook(t)
	plantAll(t, root, "p/.agents/hooks/.text.md="+hookText("b", priority(1)), "p/.agents/hooks/b/HOOK.md->../.text.md")
	w, _ := start(t, root, false)
	for i := range 3 {
		w.write("p/.agents/hooks/.text.md", hookText("b", priority(2+i)))
		w.state("project/a active 100", fmt.Sprintf("project/b active %d", 2+i))
	}
}

// TestWatchSwappedFolders checks that watched folders stay watched after their names are
// swapped.
func TestWatchSwappedFolders(t *testing.T) {
	t.Parallel()
	root := oneHook(t)
	plantAll(t, root, hookA+"="+hookText("a", priority(0)), "p/.agents/hooks/b/HOOK.md="+hookText("b", priority(1)))
	w, _ := start(t, root, false)
	hooks := "p/.agents/hooks/"
	for i := range 5 {
		w.rename(hooks+"a", hooks+".c")
		w.rename(hooks+"b", hooks+"a")
		w.rename(hooks+".c", hooks+"b")
		for j, name := range []string{"a", "b"} {
			n := 10*i + j
			w.save(hooks+name+"/HOOK.md", hookText(name, priority(n)))
			w.until(func(c Change) bool {
				return strings.Contains(tableText(c.Table), fmt.Sprintf("project/%s active %d", name, n))
			})
		}
	}
}
