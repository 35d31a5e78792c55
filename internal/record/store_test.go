package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// writerVar, if set, makes the test binary write records: DIR COUNT.
const writerVar = "RECORD_TEST_WRITER"

func TestMain(m *testing.M) {
	if args := os.Getenv(writerVar); args != "" {
		write(args)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func write(args string) {
	var dir string
	var count int
	fmt.Sscan(args, &dir, &count)
	for range count {
		if err := (Store{Dir: dir, Keep: 40}).Add(time.Now(), []byte("{}\n")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func store(t *testing.T) Store {
	return Store{Dir: filepath.Join(t.TempDir(), "state", "events")}
}

func add(t *testing.T, s Store, at time.Time, text string) {
	t.Helper()
	if err := s.Add(at, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func contents(t *testing.T, s Store) (texts []string) {
	t.Helper()
	files, err := s.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := ReadFile(filepath.Join(s.Dir, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

func TestStoreKeepsTheNewest(t *testing.T) {
	s := store(t)
	s.Keep = 3
	begin := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("x", 3600))
	for i := range 5 {
		add(t, s, begin.Add(time.Duration(i)*time.Nanosecond), fmt.Sprint(i))
	}
	if got := contents(t, s); !slices.Equal(got, []string{"2", "3", "4"}) {
		t.Errorf("got %q", got)
	}
	files, _ := s.Files()
	if want := begin.Add(2); !files[0].Time.Equal(want) {
		t.Errorf("got %v, want %v", files[0].Time, want)
	}
	if s.Bytes() != 3 {
		t.Errorf("got %d bytes", s.Bytes())
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]fs.FileMode{s.Dir: 0o700, filepath.Join(s.Dir, files[0].Name): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// TestStoreForgetsTheFuture checks that records from when the clock was wrong do
// not displace new ones.
func TestStoreForgetsTheFuture(t *testing.T) {
	s := store(t)
	s.Keep = 3
	now := time.Now()
	for i := range 3 {
		add(t, s, now.AddDate(10, 0, i), fmt.Sprint("future ", i))
	}
	for i := range 4 {
		add(t, s, now.Add(time.Duration(i-10)*time.Second), fmt.Sprint(i))
	}
	if got, want := contents(t, s), []string{"1", "2", "3"}; !slices.Equal(got, want) {
		t.Errorf("kept %q, want %q", got, want)
	}
}

func TestStoreBoundsBytes(t *testing.T) {
	s := store(t)
	s.Keep = 1000
	large := strings.Repeat("x", 8<<20)
	begin := time.Now()
	for i := range 10 {
		add(t, s, begin.Add(time.Duration(i)), large)
	}
	if files, _ := s.Files(); len(files) != 8 || s.Bytes() > MaxBytes || !files[7].Time.Equal(begin.Add(9)) {
		t.Errorf("%d files, %d bytes", len(files), s.Bytes())
	}
}

func TestStoreTouchesOnlyRecords(t *testing.T) {
	s := store(t)
	s.Keep = 1
	old := time.Now().Add(-24 * time.Hour)
	add(t, s, old, "old")
	others := []string{"x.json", "20260102T030405.json", ".x.json", "20260102T030405.000000000Z-zzzzzzzz.json", "99999999T030405.000000000Z-00000000.json", ".hidden"}
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(s.Dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	unfinished, young := "."+nameOf(old), "."+nameOf(time.Now())
	for _, name := range []string{unfinished, young} {
		if err := os.WriteFile(filepath.Join(s.Dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	add(t, s, time.Now(), "new")
	if got := contents(t, s); !slices.Equal(got, []string{"new"}) {
		t.Errorf("got %q", got)
	}
	if n, err := s.Clear(); n != 1 || err != nil {
		t.Errorf("cleared %d, %v", n, err)
	}
	for _, name := range append(others, young) {
		if _, err := os.Stat(filepath.Join(s.Dir, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(s.Dir, unfinished)); err == nil {
		t.Error("the abandoned directory still exists")
	}
}

func TestStoreRefuses(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions and links")
	}
	root := t.TempDir()
	path := func(name string) string { return filepath.Join(root, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(path("file"), nil, 0o600))
	must(os.Mkdir(path("dir"), 0o700))
	must(os.Symlink(path("dir"), path("link")))
	must(os.Mkdir(path("open"), 0o700))
	must(os.Chmod(path("open"), 0o777))
	for name, want := range map[string]string{
		"file": "not a directory", "file/below": "not a directory", "link": "symbolic link", "open": "chmod 700",
	} {
		err := Store{Dir: path(name)}.Add(time.Now(), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (Store{Dir: path("none")}).Check(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	must(os.Mkdir(path("seen"), 0o755))
	must(os.Chmod(path("seen"), 0o755)) // regardless of the umask
	if s := (Store{Dir: path("seen")}); s.Check() != nil || !s.Exposed() || (Store{Dir: path("dir")}).Exposed() {
		t.Error("Exposed is not true exactly for a directory that others can read")
	}
	if os.Geteuid() == 0 {
		return
	}
	must(os.Mkdir(path("readonly"), 0o500))
	for _, name := range []string{"readonly", "readonly/below"} {
		if err := (Store{Dir: path(name)}).Add(time.Now(), nil); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestManyWriters runs 50 processes at the same time.
func TestManyWriters(t *testing.T) {
	s := store(t)
	s.Keep = 40
	const writers, count = 50, 4
	cmds := make([]*exec.Cmd, writers)
	for i := range cmds {
		cmds[i] = exec.CommandContext(t.Context(), os.Args[0])
		cmds[i].Env = append(os.Environ(), fmt.Sprintf("%s=%s %d", writerVar, s.Dir, count))
		cmds[i].Stderr = os.Stderr
		if err := cmds[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if got := contents(t, s); len(got) != s.Keep || slices.ContainsFunc(got, func(text string) bool { return text != "{}\n" }) {
		t.Errorf("%d records", len(got))
	}
	all, _ := os.ReadDir(s.Dir)
	if len(all) != s.Keep {
		t.Errorf("%d files", len(all))
	}
}

func TestReadFileRefuses(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large")
	if err := os.WriteFile(large, make([]byte, maxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{dir: "not a regular file", large: "above", filepath.Join(dir, "none"): "none"} {
		if _, err := ReadFile(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
