package runlog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/state"
)

// writerVar, if set, makes the test binary a writer: DIR, its number, the number of lines.
const writerVar = "RUNLOG_TEST_WRITER"

func TestMain(m *testing.M) {
	if args := os.Getenv(writerVar); args != "" {
		write(strings.Fields(args))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func write(args []string) {
	lines, _ := strconv.Atoi(args[2])
	for i := range lines {
		e := Entry{Time: time.Now(), Hook: fmt.Sprintf("h%s-%d", args[1], i), Cause: strings.Repeat("c", 200)}
		if err := Append(args[0], e); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// writer returns the process of the writer with a number.
func writer(t *testing.T, dir string, number, lines int) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %d", writerVar, dir, number, lines))
	cmd.Stderr = os.Stderr
	return cmd
}

func readLog(t *testing.T, path string) (hooks []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var e Entry
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("line %q: %v", line, err)
		}
		hooks = append(hooks, e.Hook)
	}
	return hooks
}

func TestAppend(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "agent-hooks")
	e := Entry{Time: time.Date(2024, 1, 2, 3, 4, 5, 6e6, time.UTC), Hook: "h", Event: "pre-session", Outcome: "none", DurationMS: 1.5}
	if err := Append(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a directory for no entries")
	}
	if err := Append(dir, e, e); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(filepath.Join(dir, fileName))
	line := `{"time":"2024-01-02T03:04:05.006Z","hook":"h","event":"pre-session","outcome":"none","duration_ms":1.5}` + "\n"
	if string(data) != line+line {
		t.Errorf("got %s", data)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, fileName): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, %v", path, info.Mode(), err)
		}
	}
}

func TestLinesAreBounded(t *testing.T) {
	long := strings.Repeat("\x00é\"<", 5000)
	e := Entry{Hook: long, Scope: long, Event: long, Agent: long, Outcome: long, Cause: long, Reason: long, Project: long, Session: long, Tool: long, Call: long, User: long, Host: long, Source: long}
	line, err := encode(e)
	if err != nil || len(line) > maxLine || !json.Valid(line) || bytes.Count(line, []byte("\n")) != 1 {
		t.Errorf("%d bytes, %v", len(line), err)
	}
	whole := Entry{Hook: "h", Cause: strings.Repeat("a", 3000)}
	line, _ = encode(whole)
	var got Entry
	if err := json.Unmarshal(line, &got); err != nil || got.Cause != whole.Cause {
		t.Errorf("a line that fits was cut: %s", line)
	}
	whole.Cause = strings.Repeat("b", 5000)
	line, _ = encode(whole)
	if err := json.Unmarshal(line, &got); err != nil || got.Hook != "h" || len(got.Cause) < 200 {
		t.Errorf("got %s", line)
	}
}

func FuzzEncode(f *testing.F) {
	f.Add("h", "cause", "/p")
	f.Add(strings.Repeat("\xff", 3000), strings.Repeat("\u2028", 2000), strings.Repeat("x", 5000))
	f.Fuzz(func(t *testing.T, hook, cause, project string) {
		line, err := encode(Entry{Hook: hook, Cause: cause, Project: project, Agent: cause, Event: hook, Outcome: hook, Scope: project})
		if err != nil || len(line) > maxLine || !json.Valid(line) {
			t.Errorf("%d bytes, %v", len(line), err)
		}
	})
}

// FuzzAppendEntry compares the output with that of json.Marshal.
func FuzzAppendEntry(f *testing.F) {
	f.Add("h", "none", "", "", int64(0), 0.0)
	f.Add("größe", "failure", `exit "1" <\n>`+"\n\x7f\u2028", "/p", int64(1e18+1), 1.5)
	f.Add("h", "deny", "\xff", "&", int64(-1e15), 1e-9)
	f.Add("h", "deny", "c", "p", int64(1), 1e22)
	f.Add("h", "deny", "c", "p", int64(1), math.Inf(1))
	f.Fuzz(func(t *testing.T, hook, outcome, cause, project string, at int64, took float64) {
		for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 5400)} {
			e := Entry{Time: time.Unix(at%1e12, at%1e9).In(zone), Hook: hook, Outcome: outcome, Cause: cause, Project: project, Agent: cause, DurationMS: took, Session: hook, Tool: cause, Call: hook, User: hook, Host: outcome, Digest: hook, Source: project}
			want, wantErr := json.Marshal(e)
			got, err := appendEntry(nil, &e)
			if (err != nil) != (wantErr != nil) || err == nil && !bytes.Equal(got, want) {
				t.Errorf("got %s, %v\nwant %s, %v", got, err, want, wantErr)
			}
		}
	})
}

func TestAppendFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Append(file, Entry{}); err == nil {
		t.Error("no error below a file")
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, fileName), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Append(dir, Entry{}); err == nil {
		t.Error("no error with a directory as log")
	}
}

// fill fills the log with complete lines.
func fill(t *testing.T, dir string, size int) {
	t.Helper()
	line, _ := encode(Entry{Hook: "old", Cause: strings.Repeat("x", 1000)})
	data := bytes.Repeat(line, size/len(line)+1)
	if err := os.WriteFile(filepath.Join(dir, fileName), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRotation(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, maxFile)
	if err := os.WriteFile(filepath.Join(dir, rotatedName), []byte("older"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Append(dir, Entry{Hook: "new"}); err != nil {
		t.Fatal(err)
	}
	if got := readLog(t, filepath.Join(dir, fileName)); len(got) != 1 || got[0] != "new" {
		t.Errorf("got %d lines", len(got))
	}
	if got := readLog(t, filepath.Join(dir, rotatedName)); got[0] != "old" {
		t.Errorf("got %q", got[0])
	}
}

// TestRotationLooksAgain checks a rotation just after that of another process.
func TestRotationLooksAgain(t *testing.T) {
	dir := t.TempDir()
	if err := Append(dir, Entry{Hook: "new"}); err != nil {
		t.Fatal(err)
	}
	rotate(dir)
	if got := readLog(t, filepath.Join(dir, fileName)); len(got) != 1 {
		t.Errorf("got %q", got)
	}
}

func TestAppendDoesNotWaitForTheLock(t *testing.T) {
	dir := t.TempDir()
	fill(t, dir, maxFile)
	f, err := os.Create(filepath.Join(dir, lockName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := state.LockFile(f, false); !got {
		t.Fatal("not locked", err)
	}
	if err := Append(dir, Entry{Hook: "new"}); err != nil {
		t.Fatal(err)
	}
	got := readLog(t, filepath.Join(dir, fileName))
	if got[len(got)-1] != "new" || len(got) < 2 {
		t.Errorf("got %d lines", len(got))
	}
}

// TestManyWriters runs 50 processes at the same time, during a rotation.
func TestManyWriters(t *testing.T) {
	const writers, lines = 50, 40
	dir := t.TempDir()
	fill(t, dir, maxFile-writers*lines*100)
	old := len(readLog(t, filepath.Join(dir, fileName)))
	cmds := make([]*exec.Cmd, writers)
	for i := range cmds {
		cmds[i] = writer(t, dir, i, lines)
		if err := cmds[i].Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	seen := map[string]int{}
	for _, name := range []string{fileName, rotatedName} {
		for _, hook := range readLog(t, filepath.Join(dir, name)) {
			seen[hook]++
		}
	}
	if seen["old"] != old {
		t.Errorf("%d old lines, were %d", seen["old"], old)
	}
	delete(seen, "old")
	if len(seen) != writers*lines {
		t.Errorf("%d lines", len(seen))
	}
}

func TestKeepOutput(t *testing.T) {
	dir := t.TempDir()
	keep := func(stdout, stderr string) string {
		t.Helper()
		if err := KeepOutput(dir, "h", []byte(stdout), []byte(stderr)); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(dir, outputDir, "h.txt"))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if got := keep("out", "err\n"); got != "--- stdout\nout\n--- stderr\nerr\n" {
		t.Errorf("got %q", got)
	}
	if got := keep("", ""); got != "--- stdout\n--- stderr\n" {
		t.Errorf("got %q", got)
	}
	long := "first" + strings.Repeat("x", 64<<10)
	want := "--- stdout\n--- stderr, the last 65536 of 65541 bytes\n" + long[5:] + "\n"
	if got := keep("", long); got != want {
		t.Errorf("got %d bytes", len(got))
	}
	entries, _ := os.ReadDir(filepath.Join(dir, outputDir))
	if info, _ := entries[0].Info(); len(entries) != 1 || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("left: %v", entries)
	}
}

func TestKeepOutputRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"", ".", "..", ".h", "a/b", "/a", `a\b`, "C:x", "a\x00"} {
		if err := KeepOutput(dir, name, nil, nil); err == nil {
			t.Errorf("%q: no error", name)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("left: %v", entries)
	}
}

func TestKeepOutputFailsCleanly(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, outputDir, "h.txt"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := KeepOutput(dir, "h", nil, nil); err == nil {
		t.Error("no error with a directory in its place")
	}
	if entries, _ := os.ReadDir(filepath.Join(dir, outputDir)); len(entries) != 1 {
		t.Errorf("left: %v", entries)
	}
	if err := KeepOutput(filepath.Join(dir, outputDir, "h.txt", "x"), "", nil, nil); err == nil {
		t.Error("no error")
	}
}

// TestSizeIsBounded checks the size of the log if the target of the rotation cannot be
// replaced.
func TestSizeIsBounded(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, rotatedName, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	fill(t, dir, maxFile)
	if err := Append(dir, Entry{Hook: "new"}); err != nil {
		t.Errorf("with room left: %v", err)
	}
	fill(t, dir, 2*maxFile)
	if err := Append(dir, Entry{Hook: "new"}); err == nil {
		t.Error("no error")
	}
}
