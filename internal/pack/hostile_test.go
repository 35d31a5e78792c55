package pack

import (
	"fmt"
	"net/http"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// TestWrongKind checks that an object of another kind than expected does not shift the answers of
// git cat-file: its content could be the head and the content of the next one.
func TestWrongKind(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	forged := "---\nname: guard\ndescription: forged\n---\n"
	text := fmt.Sprintf("\n%s blob %d\n%s\n", strings.Repeat("1", 40), len(forged), forged)
	u.commit("main", "644 guard/HOOK.md="+hookText, "644 other="+text)
	p, err := u.open("")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.content.list(entry{kind: isFolder, id: u.blob(text)}); err == nil || !strings.Contains(err.Error(), "is a blob, not a tree") {
		t.Errorf("a file as a folder: %v", err)
	}
	if f, err := p.Read("guard"); err != nil || string(f.Files[0].Data) != hookText {
		t.Errorf("the next object: %+v, %v", f, err)
	}
}

// TestCommitsOfOtherNames checks that a commit is that with the identifier, whatever branches and
// replacements the repository has.
func TestCommitsOfOtherNames(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	first := u.commit("main", "644 first/HOOK.md="+hookText)
	second := u.commit("main", "644 second/HOOK.md="+hookText)
	u.git("", "update-ref", "refs/heads/"+first, second)
	u.git("", "update-ref", "refs/tags/"+first, second)
	u.git("", "update-ref", "refs/replace/"+first, second)
	u.git("", "update-ref", "refs/heads/"+first[:10], second)
	for ref, want := range map[string]string{first: "first", second: "second", "": "second", first[:10]: "second"} {
		p, err := u.open(ref)
		if err != nil {
			t.Fatal(err)
		}
		if id := map[string]string{"first": first, "second": second}[want]; p.Hooks[0] != want || p.Commit != id {
			t.Errorf("%s: %s, %s", ref, p.Hooks, p.Commit)
		}
		p.Close()
	}
	for head, want := range map[string]string{"ref: refs/heads/none\n": "no default branch", "ref: refs/heads/../../../../etc/passwd\n": "no default branch", "--upload-pack=x\n": "git ls-remote"} {
		put(t, u.dir, "HEAD="+head)
		if p, err := u.open(""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("HEAD %q: %+v, %v", head, p, err)
		}
	}
	u.nothingLeft()
}

// TestMovedRef checks that what was shown is what is installed, although the branch was replaced
// meanwhile, and that the old commit can be had again.
func TestMovedRef(t *testing.T) {
	t.Parallel()
	u, at := newUpstream(t), newPlace(t)
	plan := func(ref string) *Change {
		t.Helper()
		if err := at.Open(); err != nil {
			t.Fatal(err)
		}
		p, err := u.open(ref)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		c, err := at.Install(p, "guard", Review{})
		if err != nil || c.Refused != "" || c.Conflict != "" {
			t.Fatalf("%+v, %v", c, err)
		}
		return c
	}
	apply := func(c *Change, commit, want string) {
		t.Helper()
		err := at.Apply([]*Change{c})
		text, _ := os.ReadFile(filepath.Join(at.Hooks, "guard", "f"))
		if err := at.Open(); err != nil || string(text) != want || at.lock.Hooks["guard"].Commit != commit {
			t.Errorf("%s, %+v, %v", text, at.lock, err)
		}
		if (err != nil) != (c.Locked.Commit != commit) {
			t.Error(err)
		}
	}
	first := u.commit("main", "644 guard/HOOK.md="+hookText, "644 guard/f=1")
	c := plan("")
	second := u.commit("main", "644 guard/HOOK.md="+hookText, "644 guard/f=2") // without a parent
	stale := plan("")
	apply(c, first, "1")
	apply(stale, first, "1") // nothing was installed when it was planned
	apply(plan(""), second, "2")
	apply(plan(first), first, "1")
}

// TestLargeRoot checks that the directories of a source are read once.
func TestLargeRoot(t *testing.T) {
	t.Parallel()
	u := newUpstream(t)
	lines := []string{"644 guard/HOOK.md=" + hookText}
	tree := u.tree("644 README=x")
	for i := range 5000 {
		lines = append(lines, fmt.Sprintf("dir folder-with-a-name-of-thirty-%d=%s", i, tree))
	}
	u.commit("main", lines...)
	p, err := u.open("")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if _, err := p.Read("guard"); err != nil || len(p.Hooks) != 1 {
		t.Errorf("%s, %v", p.Hooks, err)
	}
}

// TestLongPaths checks that a hook with paths that a system cannot store is refused, before
// anything is written.
func TestLongPaths(t *testing.T) {
	t.Parallel()
	u, at := newUpstream(t), newPlace(t)
	u.commit("main", "644 name/HOOK.md="+hookText, "644 name/"+strings.Repeat("n", 300)+"=x",
		"644 deep/HOOK.md="+hookText, "644 deep/"+strings.Repeat(strings.Repeat("d", 200)+"/", 100)+"f=x")
	p, err := u.open("")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, name := range p.Hooks {
		if name == "deep" && runtime.GOOS == "windows" {
			continue // paths may have 32,767 characters
		}
		if c, err := at.Install(p, name, Review{}); err != nil || c.Refused == "" {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	if _, err := os.Stat(at.Hooks); err == nil {
		t.Error("something was written")
	}
}

// TestCredentials checks that the user's credential helper counts, and that one that waits does
// not keep the command waiting.
func TestCredentials(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the helper is a shell script")
	}
	t.Parallel()
	u := newUpstream(t)
	u.commit("main", "644 guard/HOOK.md="+hookText)
	backend := u.backend()
	server, git := u.serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "me" || password != "secret" {
			w.Header().Set("WWW-Authenticate", "Basic")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		backend.ServeHTTP(w, r)
	}))
	home := filepath.Dir(u.dir)
	settings, err := os.ReadFile(filepath.Join(home, ".gitconfig"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, home, ".gitconfig="+string(settings)+"[credential]\n\thelper = \"!echo username=me; echo password=secret; #\"\n")
	p, err := Open(t.Context(), git, Source{server + "/up.git", true}, "", "")
	if err != nil {
		t.Fatal(err)
	}
	p.Close()
	mark := filepath.Join(home, "asked")
	put(t, home, "ask=#!/bin/sh\ntouch "+mark+"\necho secret\n", ".gitconfig="+string(settings)+"[core]\n\taskPass = "+home+"/ask\n")
	if err := os.Chmod(filepath.Join(home, "ask"), 0o755); err != nil {
		t.Fatal(err)
	}
	git.Environ = append(git.Environ, "GIT_ASKPASS="+home+"/ask", "SSH_ASKPASS="+home+"/ask", "DISPLAY=:0")
	if p, err := Open(t.Context(), git, Source{server + "/up.git", true}, "", ""); err == nil || !strings.Contains(err.Error(), "could not read Username") {
		t.Errorf("without a password: %+v, %v", p, err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a program asked for the password")
	}
	put(t, home, ".gitconfig="+string(settings)+"[credential]\n\thelper = \"!sleep 600; #\"\n")
	git.Timeout = 2 * time.Second
	began := time.Now()
	if p, err := Open(t.Context(), git, Source{server + "/up.git", true}, "", ""); err == nil || !strings.Contains(err.Error(), "no answer within 2s") || time.Since(began) > 20*time.Second {
		t.Errorf("after %s: %+v, %v", time.Since(began), p, err)
	}
	u.nothingLeft()
}

// TestSpecialFiles checks that a folder's FIFOs and sockets are not opened: that could block.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "guard/HOOK.md="+hookText, "fifo/x=", "inner/HOOK.md="+hookText)
	for _, at := range []string{"fifo/HOOK.md", "inner/fifo", "pack.toml"} {
		if err := osexec.Command("mkfifo", filepath.Join(dir, filepath.FromSlash(at))).Run(); err != nil {
			t.Skipf("mkfifo: %v", err)
		}
	}
	if p, err := Open(t.Context(), Git{}, Source{Text: dir}, "", ""); err == nil {
		t.Errorf("pack.toml: %+v", p)
	}
	if err := os.Remove(filepath.Join(dir, "pack.toml")); err != nil {
		t.Fatal(err)
	}
	p, err := Open(t.Context(), Git{}, Source{Text: dir}, "", "")
	if err != nil || strings.Join(p.Hooks, " ") != "guard inner" {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := p.Read("inner"); err == nil || !strings.Contains(err.Error(), "neither a file nor a directory") {
		t.Error(err)
	}
}

// TestLeftDirectories checks that links in a project in place of the directories that a killed
// process left do not make Apply move folders of the user into the project.
func TestLeftDirectories(t *testing.T) {
	for _, link := range []string{"p/.agents/" + tempPrefix + "1->../../home", "p/.agents/" + tempPrefix + "1/old->../../../home/old"} {
		root := t.TempDir()
		put(t, root, "home/old/secrets/key=x", "p/.agents/hooks/")
		name, target, _ := strings.Cut(link, "->")
		_ = os.MkdirAll(filepath.Join(root, filepath.Dir(name)), 0o755)
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Skipf("symbolic links cannot be created: %v", err)
		}
		p := &Place{Scope: discovery.ProjectScope, Hooks: filepath.Join(root, "p", ".agents", "hooks"), State: filepath.Join(root, "state"), lock: &Lock{}}
		if err := p.apply(change("a", "", "1")); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(root, "home", "old", "secrets", "key")); err != nil {
			t.Errorf("%s: the user's folder is gone: %v", link, err)
		}
		if got := p.state(t); got != "a=1" {
			t.Errorf("%s: %s", link, got)
		}
	}
}

// TestLineEnds checks that a hook and a lock that git has converted (core.autocrlf) are named as
// that.
func TestLineEnds(t *testing.T) {
	p := newPlace(t)
	if err := p.apply(change("a", "", "1\n2\n")); err != nil {
		t.Fatal(err)
	}
	lock, err := os.ReadFile(p.LockPath())
	if err != nil {
		t.Fatal(err)
	}
	put(t, p.Hooks, "a/HOOK.md=1\r\n2\r\n")
	put(t, filepath.Dir(p.Hooks), LockName+"="+strings.ReplaceAll(string(lock), "\n", "\r\n"))
	if err := p.Open(); err != nil {
		t.Fatal(err)
	}
	if all := p.Locked(); len(all) != 1 || all[0].State != Edited || !strings.Contains(all[0].Cause, "line ends") {
		t.Errorf("%+v", all)
	}
	put(t, p.Hooks, "a/HOOK.md=1\r\n3\r\n")
	if all := p.Locked(); all[0].State != Edited || all[0].Cause != "" {
		t.Errorf("%+v", all)
	}
}

// TestApplyUndone checks that an error in the middle leaves everything as it was.
func TestApplyUndone(t *testing.T) {
	p := newPlace(t)
	if err := p.apply(change("a", "", "1"), change("b", "", "1")); err != nil {
		t.Fatal(err)
	}
	before := p.state(t)
	long := change("c", "", "1")
	long.Folder.Files = append(long.Folder.Files, trust.File{Path: strings.Repeat("x", 300)})
	for name, last := range map[string]*Change{"a name that is too long": long, "a folder that appears meanwhile": change("d", "", "1"), "a folder that is gone": change("e", "1", "2")} {
		put(t, p.Hooks, "d/mine=")
		changes := []*Change{change("n", "", "1"), change("a", "1", "2"), change("b", "1", ""), last}
		for _, c := range changes {
			c.Place = p
		}
		lock, err := p.readLock()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.write(lock, changes); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(filepath.Join(p.Hooks, "d", "mine")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		_ = os.RemoveAll(filepath.Join(p.Hooks, "d"))
		if got := p.state(t); got != before {
			t.Errorf("%s: %s, want %s", name, got, before)
		}
	}
}

// TestKilled kills processes that apply changes. Each hook is then an old or a new one, and the
// next Apply cleans up.
func TestKilled(t *testing.T) {
	const variable = "TEST_KILLED_HOME"
	place := func(home string) *Place {
		return &Place{Scope: discovery.UserScope, Hooks: filepath.Join(home, "agents", "hooks"), State: filepath.Join(home, "state"), lock: &Lock{}}
	}
	if home := os.Getenv(variable); home != "" {
		p := place(home)
		for i := 0; ; i++ {
			was, text := string(rune('0'+i%2)), string(rune('0'+(i+1)%2))
			if err := p.apply(change("a", was, text), change("b", was, text), change("c", map[bool]string{true: was}[was == "0"], map[bool]string{true: text}[text == "0"])); err != nil {
				fmt.Println(err)
				os.Exit(3)
			}
		}
	}
	p := newPlace(t)
	home := filepath.Dir(p.State)
	for round := range 8 {
		_ = os.RemoveAll(filepath.Dir(p.Hooks))
		if err := p.apply(change("a", "", "0"), change("b", "", "0"), change("c", "", "0")); err != nil {
			t.Fatal(err)
		}
		cmd := osexec.Command(os.Args[0], "-test.run=^TestKilled$")
		cmd.Env = append(os.Environ(), variable+"="+home)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(40+13*round) * time.Millisecond)
		_ = cmd.Process.Kill()
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() == 3 { // Windows ends what is killed with 1
			t.Fatalf("it did not run until it was killed: %v", err)
		}
		if err := p.apply(change("n", "", "1")); err != nil {
			t.Fatal(err)
		}
		got := p.state(t) // and nothing is left
		for _, hook := range []string{"a", "b"} {
			if !strings.Contains(got, hook+"=0") && !strings.Contains(got, hook+"=1") {
				t.Errorf("hook %s is neither old nor new: %s", hook, got)
			}
		}
	}
}
