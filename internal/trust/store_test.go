package trust

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/spec"
)

// TestMain runs the tests or, as a helper process, trusts a project's hooks: STORE ROOT TIMES.
func TestMain(m *testing.M) {
	if os.Getenv("TRUST_HELPER") == "" {
		os.Exit(m.Run())
	}
	times, _ := strconv.Atoi(os.Args[3])
	for i := range times {
		if err := trustAll(os.Args[1], os.Args[2]); err != nil {
			os.Stderr.WriteString(err.Error())
			os.Exit(i + 10)
		}
	}
	os.Exit(0)
}

func trustAll(store, root string) error {
	s, err := Open(store)
	if err != nil {
		return err
	}
	var folders []*Folder
	dirs, _ := filepath.Glob(filepath.Join(root, ".agents", "hooks", "*"))
	for _, dir := range dirs {
		f, err := Read(dir)
		if err != nil {
			return err
		}
		folders = append(folders, f)
	}
	err = s.Add(root, false, folders, time.Now())
	return err
}

// folders reads the hooks of a project.
func folders(t *testing.T, root string) (folders []*Folder) {
	t.Helper()
	dirs, _ := filepath.Glob(filepath.Join(root, ".agents", "hooks", "*"))
	for _, dir := range dirs {
		folders = append(folders, read(t, dir))
	}
	return folders
}

const hookText = "---\nname: guard\ndescription: A hook of a test.\ntrigger: pre-tool-call\n---\n"

// newProject creates a project with the hook guard, and returns the path of a store.
func newProject(t *testing.T, script string) (root, guard, store string) {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	root, store = filepath.Join(base, "project"), filepath.Join(base, "state", "trust")
	guard = filepath.Join(root, ".agents", "hooks", "guard")
	put(t, guard, "HOOK.md="+hookText, "scripts/run*="+script)
	t.Cleanup(func() { _ = state.Discard(store) })
	return root, guard, store
}

func trusting(t *testing.T, store, root string) {
	t.Helper()
	if err := trustAll(store, root); err != nil {
		t.Fatal(err)
	}
}

// clean checks that a store contains no unfinished files.
func clean(t *testing.T, store string) {
	t.Helper()
	if _, err := os.Lstat(filepath.Join(store, "tmp")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("tmp is left: %v", err)
	}
}

// check returns the hook that runs instead of the one at dir.
func check(store, dir string) *discovery.Hook {
	return NewCheck(Options{Store: store}).Trust(discovery.ReadHook(dir, discovery.ProjectScope))
}

func TestTwentyProcessesTrustAtOnce(t *testing.T) {
	base := t.TempDir()
	store := filepath.Join(base, "state", "trust")
	t.Cleanup(func() { _ = state.Discard(store) })
	var wg sync.WaitGroup
	var roots []string
	for i := range 20 {
		root := filepath.Join(base, "p"+strconv.Itoa(i%5))
		if i < 5 {
			put(t, filepath.Join(root, ".agents/hooks/guard"), "HOOK.md="+hookText, "scripts/run*=version "+strconv.Itoa(i%3))
			roots = append(roots, root)
		}
		cmd := exec.Command(os.Args[0], store, root, "3")
		cmd.Env = append(os.Environ(), "TRUST_HELPER=1")
		wg.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
		if i == 4 {
			// The folders must exist before others read them.
			wg.Wait()
		}
	}
	wg.Wait()
	clean(t, store)
	for _, root := range roots {
		if h := check(store, filepath.Join(root, ".agents/hooks/guard")); !h.Reviewed || h.News() != "" {
			t.Errorf("%s is %s: %s %s", root, h.State, h.Cause, h.News())
		}
	}
	s, _ := Open(store)
	if records, errs := s.Records(); len(records) != 5 || len(errs) != 0 {
		t.Errorf("%d records, %v", len(records), errs)
	}
}

// A swap race: only reviewed content runs, even if the script is rewritten meanwhile.
func TestOnlyReviewedBytesRun(t *testing.T) {
	root, guard, store := newProject(t, "reviewed")
	trusting(t, store, root)
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; !stop.Load(); i++ {
			text := "reviewed"
			if i%2 == 0 {
				text = "evil"
			}
			_ = os.WriteFile(filepath.Join(guard, "scripts/run"), []byte(text), 0o755)
			_ = os.WriteFile(filepath.Join(guard, "HOOK.md"), []byte(strings.Replace(hookText, "pre-tool-call", []string{"post-session", "pre-tool-call"}[i%2], 1)), 0o644)
		}
	})
	notices := 0
	for range 500 {
		h := check(store, guard)
		b, err := os.ReadFile(filepath.Join(h.Dir, "scripts/run"))
		if !h.Reviewed || err != nil || string(b) != "reviewed" || h.Trigger != spec.PreToolCall {
			t.Fatalf("%q would run on %q: %s %v", b, h.Trigger, h.Cause, err)
		}
		if h.News() != "" {
			notices++
		}
	}
	stop.Store(true)
	wg.Wait()
	if notices == 0 {
		t.Error("no change was reported")
	}
}

// If a store is removed while it is read, nothing is trusted, and never content that was not
// reviewed.
func TestStoreRemovedMeanwhile(t *testing.T) {
	root, guard, store := newProject(t, "reviewed")
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 20 {
			_ = trustAll(store, root)
			_ = state.Discard(store)
		}
	})
	for range 300 {
		if h := check(store, guard); h.State == discovery.Active && !h.Reviewed {
			t.Fatal("an unreviewed hook would run")
		}
	}
	wg.Wait()
}

func TestLeftovers(t *testing.T) {
	root, guard, store := newProject(t, "x")
	put(t, filepath.Join(store, "tmp"), "killed/guard/HOOK.md=half")
	if err := os.Chmod(store, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(store), 0o700); err != nil {
		t.Fatal(err)
	}
	if h := check(store, guard); h.State != discovery.Untrusted {
		t.Errorf("files that a killed process left are trusted: %s", h.State)
	}
	trusting(t, store, root)
	clean(t, store)
}

func TestInvalidRecords(t *testing.T) {
	digest := strings.Repeat("a", 64)
	good := Record{Version: recordVersion, Repository: "/r", Hooks: []Hook{{".", "guard", false, []Review{{Digest: digest}}}}}
	if err := good.decode(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Record){
		"half a path":     func(r *Record) { r.Repository = `\x2` },
		"a quote":         func(r *Record) { r.Hooks[0].Project = `a"b` },
		"newer":           func(r *Record) { r.Version = 3 },
		"a path":          func(r *Record) { r.Hooks[0].Name = "../guard" },
		"a dot":           func(r *Record) { r.Hooks[0].Name = "." },
		"outside":         func(r *Record) { r.Hooks[0].Project = "../x" },
		"no review":       func(r *Record) { r.Hooks[0].Reviews = nil },
		"no digest":       func(r *Record) { r.Hooks[0].Reviews = []Review{{Digest: "../../x"}} },
		"an encoded path": func(r *Record) { r.Hooks[0].Name = `\x2e\x2e\x2fguard` },
		"half an escape":  func(r *Record) { r.Hooks[0].Project = `\x2` },
		"many reviews":    func(r *Record) { r.Hooks[0].Reviews = make([]Review, maxReviews+1) },
		"upper case":      func(r *Record) { r.Hooks[0].Reviews = []Review{{Digest: strings.ToUpper(digest)}} },
	} {
		bad := Record{Version: recordVersion, Repository: "/r", Hooks: []Hook{{".", "guard", false, []Review{{Digest: digest}}}}}
		change(&bad)
		if bad.decode() == nil {
			t.Errorf("%s is believed", name)
		}
	}
}

func FuzzReadRecord(f *testing.F) {
	f.Add([]byte(`{"version":2,"repository":"/r","hooks":[{"project":".","hook":"guard","reviews":[{"digest":"` + strings.Repeat("a", 64) + `","trusted_at":"2026-01-02T03:04:05Z"}]}]}`))
	f.Add([]byte(`{"version":1,"hooks":[{"hook":"..","reviews":[{}]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "r.json")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := readRecord(path)
		if err != nil {
			return
		}
		s := Store{dir: "/store"}
		for _, h := range r.Hooks {
			if p := s.copyPath(h.Name, h.latest().Digest); filepath.Dir(filepath.Dir(filepath.Dir(p))) != filepath.FromSlash("/store/copies") {
				t.Errorf("%q leads to %q", text, p)
			}
		}
	})
}

func TestOpenWithoutPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	put(t, filepath.Dir(file), "file=")
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"", "relative", file} {
		if _, err := Open(dir); err == nil {
			t.Errorf("%q is a store", dir)
		}
	}
}

func TestRevoke(t *testing.T) {
	root, guard, store := newProject(t, "one")
	trusting(t, store, root)
	put(t, guard, "scripts/run*=two")
	trusting(t, store, root)
	s, _ := Open(store)
	trusted := s.Trusted(root, "", func(name string) bool { return name == "guard" })
	if len(trusted.Contents) != 2 {
		t.Fatalf("trusted %+v", trusted)
	}
	folder, err := s.History(root).Reviewed("guard")
	if err != nil || folder.Digest() != read(t, guard).Digest() {
		t.Errorf("reviewed %v, %v", folder, err)
	}
	if err := s.Revoke(trusted); err != nil {
		t.Error(err)
	}
	if left := namesIn(filepath.Join(store, "repositories")); len(left) > 0 {
		t.Errorf("empty records are left: %q", left)
	}
	clean(t, store)
	if h := check(store, guard); h.State != discovery.Untrusted {
		t.Errorf("still %s", h.State)
	}
	if left, _ := os.ReadDir(filepath.Join(store, "copies")); len(left) > 0 {
		t.Errorf("copies are left: %v", left)
	}
}

// TestReadRecord checks that a file is read completely or not at all.
func TestReadRecord(t *testing.T) {
	text := `{"version":2,"repository":"/r","hooks":[{"project":".","hook":"guard","reviews":[{"digest":"` + strings.Repeat("a", 64) + `"}]}]}`
	for _, test := range []struct {
		name, text string
		want       bool
	}{
		{"well", text, true},
		{"a wrong type", strings.Replace(text, `"hook":`, `"everywhere":"yes","hook":`, 1), false},
		{"too large", text + strings.Repeat(" ", maxRecord), false},
	} {
		path := filepath.Join(t.TempDir(), "r.json")
		if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readRecord(path); (err == nil) != test.want {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func TestInvalidPathFiles(t *testing.T) {
	id := strings.Repeat("a", 32)
	for text, want := range map[string]bool{
		"/p\n" + id + " .\n":        true,
		"/q\n" + id + " .\n":        false,
		"/p\n" + id + "\n":          false,
		"/p\n" + id + " \\x2\n":     false,
		"/p\n../" + id[3:] + " .\n": false,
		"/p\n":                      false,
		"/p\n" + strings.Repeat(id+" .\n", maxRefs+1): false,
	} {
		if _, ok := parseRefs(text, "/p"); ok != want {
			t.Errorf("%q: %t", text, ok)
		}
	}
}

func TestLinkPath(t *testing.T) {
	s, _ := Open(filepath.Join(t.TempDir(), "trust"))
	to := ref{strings.Repeat("a", 32), "."}
	err := s.write(true, func() error {
		return errors.Join(s.linkPath("/p", to), s.linkPath("/p", to))
	})
	if refs, readErr := s.refs("/p"); err != nil || readErr != nil || !slices.Equal(refs, []ref{to}) {
		t.Errorf("linked to %v, %v, %v", refs, err, readErr)
	}
	to.project = strings.Repeat("a", maxPathFile)
	if err := s.write(true, func() error { return s.linkPath("/p", to) }); err == nil {
		t.Error("a file was written that cannot be read")
	}
}

func TestAddInvalidName(t *testing.T) {
	s, _ := Open(filepath.Join(t.TempDir(), "trust"))
	for _, name := range []string{"", ".", "..", "a/b", "../x"} {
		if err := s.Add(t.TempDir(), false, []*Folder{{Name: name}}, time.Now()); err == nil {
			t.Errorf("a folder with the name %q is trusted", name)
		}
	}
}

// While one process writes, another that does not wait does nothing.
func TestWriteWithoutWaiting(t *testing.T) {
	s, _ := Open(filepath.Join(t.TempDir(), "trust"))
	err := s.write(true, func() error {
		return s.write(false, func() error { return errors.New("two wrote at once") })
	})
	if err != nil {
		t.Error(err)
	}
}

func TestList(t *testing.T) {
	root, _, store := newProject(t, "one")
	s, _ := Open(store)
	if err := s.Add(root, true, folders(t, root), time.Now()); err != nil {
		t.Fatal(err)
	}
	present := func(want map[string]bool) {
		t.Helper()
		rows, errs := s.List()
		got := map[string]bool{}
		for _, row := range rows {
			got[row.Repository] = row.Present
		}
		if !maps.Equal(got, want) || len(errs) > 0 {
			t.Errorf("present %v, %v, want %v", got, errs, want)
		}
	}
	present(map[string]bool{Everywhere: true, root: true})
	if err := os.RemoveAll(filepath.Join(root, ".agents")); err != nil {
		t.Fatal(err)
	}
	present(map[string]bool{Everywhere: true, root: false})
	put(t, root, "HEAD=x") // a repository without a known work tree
	present(map[string]bool{Everywhere: true, root: true})
}

// Untrust of a removed repository includes the projects in its subdirectories.
func TestUntrustRemovedRepository(t *testing.T) {
	root, _, store := newProject(t, "one")
	outer := filepath.Join(filepath.Dir(root), "outer")
	inner := filepath.Join(outer, "inner")
	put(t, outer, ".git/HEAD=x")
	put(t, inner, ".agents/hooks/guard/HOOK.md="+hookText)
	trusting(t, store, inner)
	s, _ := Open(store)
	if got := s.Trusted(outer, "", nil); !got.Empty() {
		t.Errorf("trusted %+v", got)
	}
	if err := os.RemoveAll(outer); err != nil {
		t.Fatal(err)
	}
	if got := s.Trusted(outer, "", nil); len(got.Contents) != 1 {
		t.Errorf("trusted %+v", got)
	}
}

// BenchmarkTrust measures the additional time of one project hook in a run that requires trust,
// if it is read and hashed, and if it is not read.
func BenchmarkTrust(b *testing.B) {
	base := b.TempDir()
	root, store := filepath.Join(base, "project"), filepath.Join(base, "state", "trust")
	guard := filepath.Join(root, ".agents", "hooks", "guard")
	_ = os.MkdirAll(filepath.Join(guard, "scripts"), 0o755)
	_ = os.WriteFile(filepath.Join(guard, "HOOK.md"), []byte(hookText), 0o644)
	_ = os.WriteFile(filepath.Join(guard, "scripts", "run"), []byte("#!/bin/sh\n"), 0o755)
	if err := trustAll(store, root); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = state.Discard(store) })
	h := discovery.ReadHook(guard, discovery.ProjectScope)
	for name, read := range map[string]bool{"read": true, "unread": false} {
		c := NewCheck(Options{Store: store})
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				copied := c.Trust(h)
				if !copied.Reviewed {
					b.Fatal("not trusted")
				}
				if read {
					copied.News()
				}
			}
		})
	}
}
