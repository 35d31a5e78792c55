package discovery

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
	"github.com/google/go-cmp/cmp"
)

// hookText is a valid HOOK.md.
func hookText(name string, lines ...string) string {
	lines = append([]string{"name: " + name, "description: d", "trigger: pre-tool-call"}, lines...)
	return "---\n" + strings.Join(lines, "\n") + "\n---\nbody\n"
}

// describe returns one line per hook: folder state code,code.
func describe(hooks []*Hook) []string {
	var lines []string
	for _, h := range hooks {
		line := h.Folder + " " + string(h.State)
		for _, d := range h.Diagnostics {
			line += " " + d.Code
		}
		lines = append(lines, line)
	}
	return lines
}

func codes(diagnostics []spec.Diagnostic, root string) []string {
	var lines []string
	for _, d := range diagnostics {
		path, err := filepath.Rel(root, d.Path)
		if err != nil {
			path = d.Path
		}
		lines = append(lines, filepath.ToSlash(path)+" "+d.Code)
	}
	return lines
}

func TestReadScope(t *testing.T) {
	root := testtree.New(t,
		"hooks/good/HOOK.md="+hookText("good"),
		"hooks/lower/hook.md="+hookText("lower"),
		"hooks/both/HOOK.md="+hookText("both"), "hooks/both/hook.md=no hook",
		"hooks/linked->../elsewhere", "elsewhere/HOOK.md="+hookText("linked"),
		"hooks/broken/HOOK.md=no front matter",
		"hooks/bom/HOOK.md=\ufeff"+strings.ReplaceAll(hookText("bom"), "\n", "\r\n"),
		"hooks/dangling->gone",
		"hooks/loop->loop",
		"hooks/file-dangling/HOOK.md->gone", "hooks/file-dangling/hook.md="+hookText("file-dangling"),
		"hooks/file-loop/HOOK.md->HOOK.md",
		"hooks/folder/HOOK.md/",
		"hooks/through/HOOK.md->../README/x",
		"hooks/fifo/",
		"hooks/bare/scripts/run=x",
		"hooks/.git/HEAD=x",
		"hooks/README=x", "hooks/to-file->README",
	)
	makeFIFO(t, filepath.Join(root, "hooks/fifo/HOOK.md"))
	makeFIFO(t, filepath.Join(root, "hooks/pipe"))
	hooks, diagnostics := ReadScope(filepath.Join(root, "hooks"), UserScope)
	want := []string{
		"bom active", "both active",
		"broken invalid front-matter-missing",
		"dangling invalid link",
		"fifo invalid not-regular",
		"file-dangling invalid link", "file-loop invalid link", "folder invalid not-regular",
		"good active", "linked active",
		"loop invalid link", "lower active",
		"through invalid link",
	}
	if diff := cmp.Diff(want, describe(hooks)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"hooks/bare empty"}, codes(diagnostics, root)); diff != "" {
		t.Error(diff)
	}
	for _, h := range hooks {
		if h.Name != h.Folder || h.Scope != UserScope || h.Dir != filepath.Join(root, "hooks", h.Folder) {
			t.Errorf("wrong: %+v", h)
		}
		if (h.State == Active) != (h.Cause == "") {
			t.Errorf("%s: state %s with cause %q", h.Folder, h.State, h.Cause)
		}
	}
}

func TestReadScopeItself(t *testing.T) {
	root := testtree.New(t, "file=x", "dangling->gone", "loop->loop", "linked->hooks", "hooks/a/HOOK.md="+hookText("a"))
	for dir, want := range map[string]string{"gone": "", "file": "unreadable", "dangling": "link", "loop": "link"} {
		hooks, diagnostics := ReadScope(filepath.Join(root, dir), UserScope)
		got := strings.Join(codes(diagnostics, root), "")
		if want != "" {
			want = dir + " " + want
		}
		if len(hooks) != 0 || got != want {
			t.Errorf("%s: got %d hooks, %q; want %q", dir, len(hooks), got, want)
		}
	}
	if hooks, diagnostics := ReadScope(filepath.Join(root, "linked"), UserScope); len(hooks) != 1 || len(diagnostics) != 0 {
		t.Errorf("linked: got %d hooks, %v", len(hooks), diagnostics)
	}
	if hooks, diagnostics := ReadScope("", UserScope); hooks != nil || diagnostics != nil {
		t.Errorf("none: got %v, %v", hooks, diagnostics)
	}
}

func TestReadScopeUnreadable(t *testing.T) {
	if os.Geteuid() == 0 || os.Geteuid() == -1 {
		t.Skip("permissions do not apply to this user")
	}
	root := testtree.New(t, "hooks/shut/HOOK.md="+hookText("shut"), "hooks/file/HOOK.md="+hookText("file"))
	shut := filepath.Join(root, "hooks/shut")
	os.Chmod(shut, 0)
	os.Chmod(filepath.Join(root, "hooks/file/HOOK.md"), 0)
	t.Cleanup(func() { os.Chmod(shut, 0o700) })
	hooks, _ := ReadScope(filepath.Join(root, "hooks"), UserScope)
	if diff := cmp.Diff([]string{"file invalid unreadable", "shut invalid unreadable"}, describe(hooks)); diff != "" {
		t.Error(diff)
	}
}

func TestNameTaken(t *testing.T) {
	composed, decomposed := "caf\u00e9", "cafe\u0301"
	root := testtree.New(t, "hooks/"+composed+"/HOOK.md="+hookText(composed), "hooks/"+decomposed+"/HOOK.md="+hookText(composed))
	hooks, _ := ReadScope(filepath.Join(root, "hooks"), UserScope)
	if diff := cmp.Diff([]string{decomposed + " active", composed + " invalid name-taken"}, describe(hooks)); diff != "" {
		t.Error(diff)
	}
	found := false
	for _, d := range hooks[1].Validate("") {
		found = found || d.Code == "name-taken"
	}
	if !found {
		t.Error("Validate forgets the taken name")
	}
}

func TestHugeFile(t *testing.T) {
	root := testtree.New(t, "closed/HOOK.md="+hookText("closed"), "open/HOOK.md=---\nname: open\n")
	for _, folder := range []string{"closed", "open"} {
		if err := os.Truncate(filepath.Join(root, folder, "HOOK.md"), 30<<20); err != nil {
			t.Fatal(err)
		}
		h := ReadHook(filepath.Join(root, folder), UserScope)
		if !slices.ContainsFunc(h.Diagnostics, func(d spec.Diagnostic) bool { return d.Code == "file-size" }) || (h.State == Active) != (folder == "closed") {
			t.Errorf("%s: %s %v", folder, h.State, h.Diagnostics)
		}
		if folder == "closed" && h.Trigger != spec.PreToolCall {
			t.Errorf("%s: no trigger", folder)
		}
	}
}

func TestReadHook(t *testing.T) {
	root := testtree.New(t, "file=x", "bare/", "good/HOOK.md="+hookText("good"))
	for folder, want := range map[string]string{"file": "file invalid empty", "bare": "bare invalid empty", "gone": "gone invalid unreadable", "good": "good active"} {
		h := ReadHook(filepath.Join(root, folder), ProjectScope)
		if got := describe([]*Hook{h})[0]; got != want || h.Scope != ProjectScope {
			t.Errorf("got %q, want %q", got, want)
		}
		if (h.File != "") != (folder == "good") {
			t.Errorf("%s: file %q", folder, h.File)
		}
	}
	t.Chdir(root)
	if h := ReadHook("good", UserScope); h.Dir != filepath.Join(root, "good") || h.Folder != "good" {
		t.Errorf("got %q, %q", h.Dir, h.Folder)
	}
}

// The number of bytes read does not affect the result.
func TestReadFront(t *testing.T) {
	pad := strings.Repeat("x", 5000)
	sources := []string{
		"", "---", "---\n", "---\n---", "---\n---\n", "---\r\nname: a\r\n---\r\n", "---\nname: a\n--- \t\nbody", "---\nname: a\n----\nb: c\n---\n",
		hookText("a"), hookText("a") + pad, hookText("a", "metadata:", "  x: "+pad), hookText("a", "metadata:", "  x: |", "    ---", "    "+pad) + pad,
		pad, "no\n---\nname: b\n---\n" + pad, "---\nname: " + pad,
		"---\nname: a\n#" + strings.Repeat("y", 4096-4-8-1-5) + "\n---\nbody", "---\n" + strings.Repeat("#\n", 40_000) + "---\n",
		"---\nname: a\n---x\nb: c\n---\n" + pad, "---\nname: a\n---\x0c\nb: c\n---\n" + pad, "---\n\xff\n---\n" + pad,
		"---\nname: a\n---\r \n#" + pad + "\n---\n", "---\nname: a\n--- \r\n" + pad,
	}
	for _, source := range sources {
		checkFront(t, source)
	}
}

func checkFront(t *testing.T, source string) {
	t.Helper()
	head, err := readFront(strings.NewReader(source), int64(len(source)), make([]byte, 4096))
	if err != nil {
		t.Fatal(err)
	}
	wantHook, want := manifest.Parse([]byte(source), "a")
	gotHook, got := manifest.Parse(head, "a")
	if slices.ContainsFunc(want, spec.Diagnostic.Fatal) {
		gotHook.Body = wantHook.Body // undefined in an invalid file
	}
	if diff := cmp.Diff(want, got) + cmp.Diff(wantHook, gotHook); diff != "" {
		t.Errorf("%.60q: of %d bytes %d were read: %s", source, len(source), len(head), diff)
	}
}

func FuzzReadFront(f *testing.F) {
	f.Add("---\nname: a\n---\n", 100)
	f.Add("---\nname: a\n  ---\n--- \r\n", 4080)
	f.Fuzz(func(t *testing.T, head string, pad int) {
		pad = min(max(pad, 0), 5000)
		checkFront(t, head+strings.Repeat("#", pad)+"\n---\n"+head)
	})
}

func TestReadFrontIsShort(t *testing.T) {
	source := hookText("a") + strings.Repeat("body\n", 10_000)
	if head, err := readFront(strings.NewReader(source), int64(len(source)), make([]byte, 4096)); err != nil || len(head) > 4096 {
		t.Errorf("%d bytes were read, %v", len(head), err)
	}
	// The size is unknown, or has changed since it was read.
	for _, size := range []int64{0, 5, 1 << 20} {
		if head, err := readFront(strings.NewReader(hookText("a")), size, make([]byte, 4096)); err != nil || string(head) != hookText("a") && size != 5 {
			t.Errorf("size %d: got %q, %v", size, head, err)
		}
	}
}

// A hook that is removed, created or replaced while it is read is either no
// hook or a complete one, and no problem.
func TestReadWhileRemoved(t *testing.T) {
	for name, write := range map[string]func(root, dir string){
		"created and removed": func(root, dir string) {
			testtree.Plant(root, "staging/HOOK.md="+hookText("comes"))
			os.Rename(filepath.Join(root, "staging"), dir)
			// The folder is moved away first: removed in place, file by file,
			// it would be an empty folder for a while.
			os.Rename(dir, filepath.Join(root, "leaves"))
			os.RemoveAll(filepath.Join(root, "leaves"))
		},
		"moved to and fro": func(root, dir string) {
			away := filepath.Join(root, "away")
			if os.Rename(away, dir) != nil {
				testtree.Plant(root, "away/HOOK.md="+hookText("comes"))
			}
			os.Rename(dir, away)
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := testtree.New(t, "hooks/stays/HOOK.md="+hookText("stays"))
			dir := filepath.Join(root, "hooks")
			stop := make(chan struct{})
			var group sync.WaitGroup
			group.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						write(root, filepath.Join(dir, "comes"))
					}
				}
			})
			for range 2000 {
				hooks, diagnostics := ReadScope(dir, UserScope)
				for _, h := range hooks {
					if h.State != Active {
						t.Errorf("%s is %s: %s", h.Folder, h.State, h.Cause)
					}
				}
				if n := len(hooks); n == 0 || hooks[n-1].Folder != "stays" || len(codes(diagnostics, root)) != 0 {
					t.Errorf("got %v, %v", describe(hooks), diagnostics)
				}
				// ReadHook may find the hook or not, but never finds it empty.
				if h := ReadHook(filepath.Join(dir, "comes"), UserScope); h.State != Active && h.Cause != errGone.Error() {
					t.Errorf("ReadHook: %s: %s", h.State, h.Cause)
				}
			}
			close(stop)
			group.Wait()
		})
	}
}

func TestThousandHooks(t *testing.T) {
	many := 300
	if os.Getenv("LONG_TESTS") != "" {
		many = 1000
	}
	root := t.TempDir()
	var want []string
	for i := range many {
		name := fmt.Sprintf("hook-%03d", i)
		testtree.Plant(root, name+"/HOOK.md="+hookText(name, fmt.Sprintf("priority: %d", i%7)))
		want = append(want, name)
	}
	found := Read(Dirs{Project: root}, Limits{})
	table, diagnostics := found.Table("", nil), found.Diagnostics
	hooks := table[spec.PreToolCall]
	if len(hooks) != len(want) || len(table) != 1 || len(diagnostics) != 0 {
		t.Fatalf("got %d hooks, %d events, %v", len(hooks), len(table), diagnostics)
	}
	slices.SortStableFunc(want, func(a, b string) int {
		var i, j int
		fmt.Sscanf(a+" "+b, "hook-%d hook-%d", &i, &j)
		return j%7 - i%7
	})
	for i, h := range hooks {
		if h.Name != want[i] {
			t.Fatalf("at %d: got %s, want %s", i, h.Name, want[i])
		}
	}
}

func shuffled(hooks []*Hook) []*Hook {
	hooks = slices.Clone(hooks)
	rand.Shuffle(len(hooks), func(i, j int) { hooks[i], hooks[j] = hooks[j], hooks[i] })
	return hooks
}

func BenchmarkReadScope(b *testing.B) {
	root := b.TempDir()
	for i := range 100 {
		name := fmt.Sprintf("hook-%03d", i)
		testtree.Plant(root, name+"/HOOK.md="+hookText(name)+strings.Repeat("body\n", 300))
	}
	b.ReportAllocs()
	for b.Loop() {
		ReadScope(root, UserScope)
	}
}
