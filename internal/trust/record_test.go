package trust

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
	"github.com/agent-hooks/agent-hooks/manifest"
)

func FuzzEncodePath(f *testing.F) {
	for _, s := range []string{"", "/a b/ä", "r\xff", "%41", "a\nb\x00", "\u2028<>&\"\\", "\xed\xa0\x80", "\ufffd"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		spelled := encodePath(s)
		if got, err := decodePath(spelled); err != nil || got != s {
			t.Errorf("%q became %q, %v", s, got, err)
		}
		if !utf8.ValidString(spelled) || strings.ContainsAny(spelled, "\n\r") {
			t.Errorf("%q is spelled %q", s, spelled)
		}
	})
}

// A repository at a path that is not UTF-8 has one record, which does not grow.
func TestRecordOfAnyPath(t *testing.T) {
	root, guard, store := newProject(t, "one")
	odd := root + "\xff\n\"%41"
	if err := os.Rename(root, odd); err != nil {
		t.Skipf("the path cannot be created: %v", err)
	}
	guard = strings.Replace(guard, root, odd, 1)
	s, _ := Open(store)
	for range 3 {
		if err := s.Add(odd, true, folders(t, odd), time.Now()); err != nil {
			t.Fatal(err)
		}
		c := NewCheck(Options{Store: store})
		if h := c.Trust(discovery.ReadHook(guard, discovery.ProjectScope)); !h.Reviewed {
			t.Fatalf("%s: %s", h.State, h.Cause)
		}
		c.Remember(time.Now())
	}
	records, errs := s.Records()
	if len(records) != 2 || len(errs) > 0 || len(records[0].Hooks) != 1 || len(records[0].Hooks[0].Reviews) != 1 || records[0].Repository != odd {
		t.Errorf("%+v, %v", records, errs)
	}
}

// A record is never written above the maximum size for reading, and a failed trust leaves no
// copy.
func TestFullRecord(t *testing.T) {
	root, guard, store := newProject(t, "one")
	trusting(t, store, root)
	s, _ := Open(store)
	r, err := s.record(recordID(root))
	if err != nil {
		t.Fatal(err)
	}
	filler := Hook{Project: ".", Reviews: []Review{{strings.Repeat("a", 64), time.Now()}}}
	size := func() int {
		b, err := r.encode()
		if err != nil {
			t.Fatal(err)
		}
		return len(b)
	}
	add := func(i int) {
		filler.Name = fmt.Sprintf("%06d", i)
		r.Hooks = append(r.Hooks, filler)
	}
	before := size()
	add(0)
	each := size() - before
	for i := range (maxRecord-before)/each - 1 {
		add(i + 1)
	}
	if err := s.write(false, func() error { return s.writeRecord(r) }); err != nil {
		t.Fatal(err)
	}
	if damaged := s.History(root).Damaged; damaged != nil {
		t.Fatal(damaged)
	}
	put(t, root, ".agents/hooks/"+strings.Repeat("y", 250)+"/HOOK.md=x")
	for i := range 4 {
		put(t, root, fmt.Sprintf(".agents/hooks/%d%s/HOOK.md=x", i, strings.Repeat("y", 200)))
	}
	put(t, guard, "scripts/run*=two")
	if err := s.Add(root, false, folders(t, root), time.Now()); err == nil {
		t.Fatal("a record was written that cannot be read")
	}
	if err := s.Add(root, true, folders(t, root), time.Now()); err == nil || !s.TrustedEverywhere(nil).Empty() {
		t.Errorf("one of two records was written: %v", err)
	}
	clean(t, store)
	if copies := namesIn(filepath.Join(store, "copies")); len(copies) != 1 {
		t.Errorf("%d names of copies are left", len(copies))
	}
	if h := check(store, guard); !h.Reviewed || h.News() == "" {
		t.Errorf("the guard is %s: %s %s", h.State, h.Cause, h.News())
	}
}

// A process killed between writing the copy and the record has trusted nothing, and the next
// one removes the copy.
func TestKilledBeforeTheRecord(t *testing.T) {
	root, guard, store := newProject(t, "one")
	s, _ := Open(store)
	f := read(t, guard)
	_ = s.write(false, func() error {
		if err := s.linkPath(root, locate(root).ref()); err != nil {
			t.Error(err)
		}
		return s.addCopies([]*Folder{f}, []string{filepath.Join(s.namePath(f.Name), f.Digest())})
	})
	if !s.has("guard", f.Digest()) {
		t.Fatal("there is no copy")
	}
	if h := check(store, guard); h.State != discovery.Untrusted {
		t.Errorf("with a copy and no record, the hook is %s", h.State)
	}
	if missing := NewCheck(Options{Store: store, OnFailure: manifest.Deny}).Missing(found(root)); len(missing) > 0 {
		t.Errorf("missing %v", missing)
	}
	other := filepath.Join(filepath.Dir(root), "other")
	put(t, other, ".agents/hooks/x/HOOK.md=y")
	trusting(t, store, other)
	if s.has("guard", f.Digest()) {
		t.Error("the copy was not removed")
	}
}

// The latest review is used, regardless of its record and of the clock.
func TestLatestReviewHolds(t *testing.T) {
	root, guard, store := newProject(t, "one")
	s, _ := Open(store)
	now := time.Now()
	if err := s.Add(root, false, folders(t, root), now); err != nil {
		t.Fatal(err)
	}
	put(t, root, ".git/HEAD=x") // another record
	put(t, guard, "scripts/run*=two")
	if err := s.Add(root, false, folders(t, root), now.Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if h := check(store, guard); !h.Reviewed || h.News() != "" {
		t.Errorf("%s: %s %s", h.State, h.Cause, h.News())
	}
	if err := os.RemoveAll(filepath.Join(root, ".git")); err != nil {
		t.Fatal(err)
	}
	if h := check(store, guard); !h.Reviewed || h.News() != "" {
		t.Errorf("without .git: %s: %s %s", h.State, h.Cause, h.News())
	}
	put(t, guard, "scripts/run*=one")
	if h := check(store, guard); !h.Reviewed || !strings.Contains(h.News(), "rolled back") {
		t.Errorf("rolled back: %s: %s %s", h.State, h.Cause, h.News())
	}
}

// Untrust works for every name, through a link and for a missing folder, and revokes all versions.
func TestUntrustFindsEverything(t *testing.T) {
	root, _, store := newProject(t, "one")
	long := strings.Repeat("日", 83) // 249 bytes
	put(t, root, ".agents/hooks/"+long+"/HOOK.md=x", "deep/er/f=")
	trusting(t, store, root)
	s, _ := Open(store)
	link := filepath.Join(filepath.Dir(root), "link")
	if err := testtree.Link(root, link); err != nil {
		t.Skipf("symbolic links cannot be created: %v", err)
	}
	t.Cleanup(func() { testtree.Unlink(link) })
	for _, gone := range []bool{false, true} {
		if gone {
			if err := os.RemoveAll(root); err != nil {
				t.Fatal(err)
			}
		}
		for _, start := range []string{root, link, filepath.Join(link, "deep", "er"), filepath.Join(root, "no", "such")} {
			if got := s.Trusted(start, "", nil); got.Root != root || len(got.Contents) != 2 {
				t.Errorf("%s (gone: %t): %+v", start, gone, got)
			}
		}
	}
	if got := s.Trusted(root, "", func(name string) bool { return name == long }); len(got.Contents) != 1 {
		t.Errorf("by its name: %+v", got)
	}
	if err := s.Revoke(s.Trusted(link, "", nil)); err != nil {
		t.Error(err)
	}
	if copies := namesIn(filepath.Join(store, "copies")); len(copies) > 0 || !s.Trusted(root, "", nil).Empty() {
		t.Errorf("left %q", copies)
	}
}

// Trust and untrust recover from any file in place of a record, and never block on it.
func TestDamagedFilesOfTheStore(t *testing.T) {
	damages := map[string]func(path string) error{
		"empty":     func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"noise":     func(path string) error { return os.WriteFile(path, []byte("\x00{"), 0o600) },
		"too large": func(path string) error { return os.WriteFile(path, make([]byte, maxRecord+1), 0o600) },
		"a folder":  func(path string) error { return os.MkdirAll(filepath.Join(path, "x"), 0o700) },
		"a link":    func(path string) error { return os.Symlink("nowhere/else", path) },
	}
	for name, damage := range damages {
		for _, dir := range []string{"repositories", "paths"} {
			root, guard, store := newProject(t, "one")
			s, _ := Open(store)
			if err := s.Add(root, true, folders(t, root), time.Now()); err != nil {
				t.Fatal(err)
			}
			put(t, root, ".git/HEAD=x") // the record is no longer that of its place
			for _, file := range namesIn(filepath.Join(store, dir)) {
				path := filepath.Join(store, dir, file)
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				if err := damage(path); err != nil {
					t.Fatal(err)
				}
			}
			if h := check(store, guard); h.State == discovery.Active && !h.Reviewed {
				t.Errorf("%s, %s: unreviewed content would run", name, dir)
			}
			if err := s.Add(root, false, folders(t, root), time.Now()); err != nil {
				t.Errorf("%s, %s: %v", name, dir, err)
			}
			c := NewCheck(Options{Store: store})
			if h := c.Trust(discovery.ReadHook(guard, discovery.ProjectScope)); !h.Reviewed || len(c.Warnings()) > 0 {
				t.Errorf("%s, %s: after another trust it is %s: %s %q", name, dir, h.State, h.Cause, c.Warnings())
			}
			if err := s.Revoke(s.Trusted(root, "", nil)); err != nil {
				t.Errorf("%s, %s: %v", name, dir, err)
			}
			if h := check(store, guard); h.State != discovery.Untrusted {
				t.Errorf("%s, %s: after untrust it is %s: %s", name, dir, h.State, h.Cause)
			}
		}
	}
}
