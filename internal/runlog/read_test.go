package runlog

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

func readAll(t *testing.T, dir string) (hooks []string, skipped int) {
	t.Helper()
	r := NewReader(dir)
	defer r.Close()
	if err := r.Read(func(_ []byte, e Entry) error { hooks = append(hooks, e.Hook); return nil }); err != nil {
		t.Fatal(err)
	}
	return hooks, r.Skipped() + r.Unfinished()
}

func line(hook string) string {
	b, _ := encode(Entry{Time: time.Unix(1e9, 0), Hook: hook})
	return string(b)
}

func put(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRead(t *testing.T) {
	a, b := line("a"), line("b")
	for name, test := range map[string]struct {
		rotated, current string
		hooks            string
		skipped          int
	}{
		"empty":            {"", "", "", 0},
		"oldest first":     {a, b, "a b", 0},
		"torn end":         {a, b + a[:30], "a b", 1},
		"torn and whole":   {"", a[:30] + b, "b", 1},
		"twice torn":       {"", a[:30] + a[:50] + b, "b", 1},
		"torn in a text":   {"", a[:10] + "\n" + b, "b", 1},
		"foreign":          {"", "\nnull\n[]\n{}\n\"x\"\n" + b, "b", 5},
		"foreign and long": {"", strings.Repeat("x", 1<<20) + "\n" + b, "b", 1},
		"long, at the end": {"", b + strings.Repeat("x", 1<<20), "b", 1},
		"wrong types":      {"", `{"time":1,"hook":[]}` + "\n" + b, "b", 1},
		"quoted start":     {"", line(lineStart), lineStart, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, rotatedName, test.rotated)
			put(t, dir, fileName, test.current)
			hooks, skipped := readAll(t, dir)
			if got := strings.Join(hooks, " "); got != test.hooks || skipped != test.skipped {
				t.Errorf("got %q, %d skipped; want %q, %d", got, skipped, test.hooks, test.skipped)
			}
		})
	}
}

// TestReadHuge reads a log that is far larger than this program lets one grow, from its end.
func TestReadHuge(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, fileName))
	if err == nil {
		err = f.Truncate(1 << 40) // sparse
	}
	if err != nil {
		t.Skip(err)
	}
	if _, err := f.WriteAt([]byte("\n"+line("a")+line("b")), 1<<40); err != nil {
		t.Skip(err)
	}
	f.Close()
	if hooks, skipped := readAll(t, dir); !slices.Equal(hooks, []string{"a", "b"}) || skipped != 0 {
		t.Errorf("got %q, %d skipped", hooks, skipped)
	}
}

func TestReadFails(t *testing.T) {
	none := func([]byte, Entry) error { return nil }
	dir := t.TempDir()
	if err := NewReader(dir).Read(none); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no log: %v", err)
	}
	put(t, dir, "file", "")
	// Windows reports a file in the place of a directory as a missing file.
	if err := NewReader(filepath.Join(dir, "file")).Read(none); err == nil || runtime.GOOS != "windows" && errors.Is(err, fs.ErrNotExist) {
		t.Errorf("below a file: %v", err)
	}
	if err := os.Mkdir(filepath.Join(dir, fileName), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := NewReader(dir).Read(none); err == nil {
		t.Error("a directory is read as a log")
	}
	put(t, t.TempDir(), fileName, line("a"))
	dir = t.TempDir()
	put(t, dir, fileName, line("a")+line("b"))
	full, calls := errors.New("full"), 0
	r := NewReader(dir)
	defer r.Close()
	if err := r.Read(func([]byte, Entry) error { calls++; return full }); err != full || calls != 1 {
		t.Errorf("got %v after %d calls", err, calls)
	}
}

// TestReadGoesOn follows a log that grows in pieces, across rotations with a late writer, and
// one that is truncated.
func TestReadGoesOn(t *testing.T) {
	dir := t.TempDir()
	current, rotated := filepath.Join(dir, fileName), filepath.Join(dir, rotatedName)
	r := NewReader(dir)
	defer r.Close()
	read := func(want ...string) {
		t.Helper()
		var got []string
		if err := r.Read(func(_ []byte, e Entry) error { got = append(got, e.Hook); return nil }); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	add := func(f *os.File, text string) {
		t.Helper()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	create := func() *os.File {
		t.Helper()
		f, err := openAppend(current)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	first := create()
	add(first, line("a")+line("b")[:20])
	read("a")
	if r.Unfinished() != 1 {
		t.Error("Unfinished is not 1 after half a line")
	}
	add(first, line("b")[20:])
	read("b")
	if r.Unfinished() != 0 {
		t.Error("Unfinished is not 0 after a whole line")
	}
	if err := moveOver(current, rotated); err != nil {
		t.Fatal(err)
	}
	read()
	second := create()
	add(second, line("c"))
	add(first, line("late"))
	read("late", "c")
	for i := range 3 {
		if err := moveOver(current, rotated); err != nil {
			t.Fatal(err)
		}
		add(create(), line(fmt.Sprint(i)))
	}
	read("1", "2")
	put(t, dir, fileName, "")
	read()
	put(t, dir, fileName, line("d"))
	read("d")
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(line("a") + line("b")))
	f.Add([]byte(line("a")[:40] + line("b")))
	f.Add([]byte("{\"time\":\n\x00\xff\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		put(t, dir, fileName, string(data)+"\n"+line("last"))
		hooks, _ := readAll(t, dir)
		if len(hooks) == 0 || hooks[len(hooks)-1] != "last" {
			t.Errorf("got %q", hooks)
		}
	})
}

// TestReadBelowAFile checks that a file in the place of the state directory is not taken for an empty
// log.
func TestReadBelowAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := NewReader(path).Read(func([]byte, Entry) error { return nil })
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// TestCollectorExample reads a log as the collector's configuration in docs/admin.md says.
func TestCollectorExample(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "admin.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	var c struct {
		Receivers struct {
			Filelog struct {
				Include   []string
				Operators []struct {
					Type      string
					Timestamp struct {
						From   string `yaml:"parse_from"`
						Type   string `yaml:"layout_type"`
						Layout string
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	log, home := c.Receivers.Filelog, t.TempDir()
	dir := filepath.Join(home, "ann", ".local", "state", "agent-hooks")
	at := time.Now()
	if err := Append(dir, Entry{Time: at, Hook: "h", Outcome: "deny"}); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(strings.Replace(log.Include[0], "/home", home, 1))
	if err != nil || len(found) != 1 || len(log.Operators) != 1 {
		t.Fatalf("it includes %q, %v, and has %d operators", found, err, len(log.Operators))
	}
	line, err := os.ReadFile(found[0])
	attributes := map[string]any{}
	if err == nil {
		err = json.Unmarshal(line, &attributes)
	}
	parser := log.Operators[0]
	written, _ := attributes[strings.TrimPrefix(parser.Timestamp.From, "attributes.")].(string)
	got, timeErr := time.Parse(parser.Timestamp.Layout, written)
	if err != nil || timeErr != nil || !got.Equal(at) || parser.Type != "json_parser" || parser.Timestamp.Type != "gotime" {
		t.Errorf("%s: %v, %v, time %v, want %v", line, err, timeErr, got, at)
	}
}
