package trust

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/manifest"
)

// damage replaces a file of the store by one that cannot be read.
func damage(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// record is the path of the record of a project outside a repository.
func record(s *Store, root string) string { return s.recordPath(recordID(root)) }

func everywhere(s *Store, _ string) string { return s.recordPath(Everywhere) }

// The hooks that a damaged file may concern are refused, and the reviewer learns of the damage.
func TestDamagedFile(t *testing.T) {
	for name, path := range map[string]func(s *Store, root string) string{
		"the record of everywhere": everywhere,
		"the record":               record,
		"the path":                 (*Store).pathFile,
	} {
		root, _, store := newProject(t, "one")
		trusting(t, store, root)
		s, _ := Open(store)
		damage(t, path(s, root))
		put(t, root, ".agents/hooks/other/HOOK.md="+strings.Replace(hookText, "guard", "other", 1))
		c := NewCheck(Options{Store: store})
		h := c.Trust(discovery.ReadHook(filepath.Join(root, ".agents", "hooks", "other"), discovery.ProjectScope))
		if h.State != discovery.Refused || len(c.Warnings()) != 1 {
			t.Errorf("%s: %s, %q", name, h.State, c.Warnings())
		}
		if s.History(root).Damaged == nil {
			t.Errorf("%s: the history is not damaged", name)
		}
	}
}

// Untrust removes a damaged record only if all of its hooks are selected.
func TestUntrustWithDamagedFile(t *testing.T) {
	guard := func(name string) bool { return name == "guard" }
	repository := func(s *Store, root string) string { return s.recordPath(recordID(filepath.Join(root, ".git"))) }
	for _, test := range []struct {
		name     string
		path     func(s *Store, root string) string
		match    func(string) bool
		gone     bool // the project
		left     bool // the damaged file
		succeeds bool
		damages  int // that are reported
	}{
		{"the record", record, nil, false, false, true, 1},
		{"the record, one hook", record, guard, false, true, false, 0},
		{"the record of a missing project", record, nil, true, false, true, 1},
		{"the repository's record of a missing project", repository, nil, true, false, true, 1},
		{"the path", (*Store).pathFile, nil, false, false, true, 1},
		{"the record of everywhere", everywhere, nil, false, true, false, 0},
	} {
		root, _, store := newProject(t, "one")
		put(t, root, ".git/HEAD=x")
		trusting(t, store, root)
		if err := os.RemoveAll(filepath.Join(root, ".git")); err != nil {
			t.Fatal(err)
		}
		trusting(t, store, root) // in a second record
		s, _ := Open(store)
		path := test.path(s, root)
		damage(t, path)
		if test.gone {
			if err := os.RemoveAll(root); err != nil {
				t.Fatal(err)
			}
		}
		trusted := s.Trusted(root, "", test.match)
		if len(trusted.Damaged) != test.damages {
			t.Errorf("%s: damaged %v", test.name, trusted.Damaged)
		}
		if err := s.Revoke(trusted); (err == nil) != test.succeeds {
			t.Errorf("%s: %v", test.name, err)
		}
		if _, err := os.Lstat(path); (err == nil) != test.left {
			t.Errorf("%s: after untrust: %v", test.name, err)
		}
	}
}

// Untrust revokes hooks outside a repository also if the file that links their project's path
// cannot be read.
func TestUntrustWithoutPath(t *testing.T) {
	root, guard, store := newProject(t, "one")
	trusting(t, store, root)
	s, _ := Open(store)
	damage(t, s.pathFile(root))
	if err := s.Revoke(s.Trusted(root, "", nil)); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(root, ".agents", "hooks", "other")
	put(t, other, "HOOK.md="+strings.Replace(hookText, "guard", "other", 1))
	if err := s.Add(root, false, []*Folder{read(t, other)}, time.Now()); err != nil {
		t.Fatal(err)
	}
	if h := check(store, guard); h.State != discovery.Untrusted {
		t.Errorf("the hook is %s", h.State)
	}
}

func TestUntrustDamagedEverywhere(t *testing.T) {
	root, _, store := newProject(t, "one")
	trusting(t, store, root)
	s, _ := Open(store)
	damage(t, s.recordPath(Everywhere))
	trusted := s.TrustedEverywhere(nil)
	if len(trusted.Damaged) != 1 {
		t.Errorf("damaged %v", trusted.Damaged)
	}
	if err := s.Revoke(trusted); err != nil {
		t.Error(err)
	}
	if trusted := s.TrustedEverywhere(nil); !trusted.Empty() {
		t.Errorf("left %+v", trusted)
	}
}

// The copies that a record names are kept although the record cannot be read, such as that of a
// newer version.
func TestDamagedRecordKeepsCopies(t *testing.T) {
	root, guard, store := newProject(t, "one")
	trusting(t, store, root)
	s, _ := Open(store)
	damage(t, s.recordPath(recordID(root)))
	other := filepath.Join(filepath.Dir(root), "other")
	put(t, other, ".agents/hooks/x/HOOK.md=y")
	trusting(t, store, other)
	if !s.has("guard", read(t, guard).Digest()) {
		t.Error("the copy was removed")
	}
}

func TestRecordOfAnotherRepository(t *testing.T) {
	root, _, store := newProject(t, "one")
	trusting(t, store, root)
	s, _ := Open(store)
	if err := os.Rename(s.recordPath(recordID(root)), s.recordPath(recordID("/other"))); err != nil {
		t.Fatal(err)
	}
	if records, errs := s.Records(); len(records) != 0 || len(errs) != 1 {
		t.Errorf("%d records, %v", len(records), errs)
	}
}

// A hook whose copy is gone is known, and is a failure also if its folder is missing.
func TestMissingCopy(t *testing.T) {
	root, guard, store := newProject(t, "one")
	trusting(t, store, root)
	if err := state.Discard(filepath.Join(store, "copies")); err != nil {
		t.Fatal(err)
	}
	options := Options{Store: store, OnFailure: manifest.Deny, Event: "pre-tool-call"}
	if !NewCheck(options).Known(filepath.Dir(guard)).Copies["guard"] {
		t.Error("the hook is not known")
	}
	if err := os.RemoveAll(guard); err != nil {
		t.Fatal(err)
	}
	got := NewCheck(options).Missing(found(root))
	if len(got) != 1 || got[0].State != discovery.Refused || !strings.Contains(got[0].Cause, "reviewed copy is gone") {
		t.Errorf("missing %+v", got)
	}
}

// A folder that was trusted everywhere and cannot be read is not trusted.
func TestUnreadableFolder(t *testing.T) {
	root, _, store := newProject(t, "one")
	s, _ := Open(store)
	if err := s.Add(root, true, folders(t, root), time.Now()); err != nil {
		t.Fatal(err)
	}
	guard := filepath.Join(filepath.Dir(root), "clone", ".agents", "hooks", "guard")
	put(t, guard, "HOOK.md="+hookText, "scripts/run*=one", "out@/etc")
	if h := check(store, guard); h.State != discovery.Untrusted {
		t.Errorf("%s: %s", h.State, h.Cause)
	}
}
