package agenthooks_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	osexec "os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// result is what a vector expects of one call.
type result struct {
	Event    string   `json:"event"`
	Exit     int      `json:"exit"`
	Stdout   any      `json:"stdout"`
	Stderr   []string `json:"stderr"`
	StderrIs *string  `json:"stderr_is"`
	MaxMS    int      `json:"max_ms"`
}

// expectation is one vector's expect.json.
type expectation struct {
	result
	Why       string            `json:"why"`
	Spec      string            `json:"spec"`
	Level     string            `json:"level"`
	Runs      []result          `json:"runs"`
	Stdin     string            `json:"stdin"`
	Files     map[string]any    `json:"files"`
	Order     []string          `json:"order"`
	Async     *[]string         `json:"async"`
	Args      []string          `json:"args"`
	Env       map[string]string `json:"env"`
	Dir       string            `json:"dir"`
	UserHooks string            `json:"user_hooks"`
	Modes     map[string]string `json:"modes"`
	Mkdir     []string          `json:"mkdir"`
}

type vector struct {
	name, source string // source is its folder
	expectation
	home, project string // of its scratch folder
}

func readVectors(t *testing.T) []*vector {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(vectorsDir, "*", "expect.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors: %v", err)
	}
	var vectors []*vector
	for _, file := range files {
		v := &vector{name: filepath.Base(filepath.Dir(file)), source: filepath.Dir(file)}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&v.expectation); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		vectors = append(vectors, v)
	}
	return vectors
}

// prepare creates the scratch folders and copies the hooks into them.
func (v *vector) prepare(t *testing.T) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	v.home = filepath.Join(root, "home")
	v.project = filepath.Join(v.home, "project")
	for _, dir := range append([]string{".", v.Dir}, v.Mkdir...) {
		if err := os.MkdirAll(filepath.Join(v.project, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	copyTree(t, filepath.Join(v.source, "home"), v.home)
	copyTree(t, filepath.Join(v.source, "user"), filepath.Join(v.home, cmp.Or(v.UserHooks, ".config/agents/hooks")))
	copyTree(t, filepath.Join(v.source, "project"), filepath.Join(v.project, ".agents", "hooks"))
	for path, mode := range v.Modes {
		bits, err := strconv.ParseUint(mode, 8, 9)
		if err = errors.Join(err, os.Chmod(filepath.Join(v.home, path), fs.FileMode(bits))); err != nil {
			t.Fatal(err)
		}
	}
}

// copyTree copies a folder if it exists. Links stay links; everything else
// becomes readable by everyone and writable only by the owner.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		target := to + strings.TrimPrefix(path, from)
		switch {
		case entry.IsDir():
			return errors.Join(os.MkdirAll(target, 0o755), os.Chmod(target, 0o755))
		case entry.Type() == fs.ModeSymlink:
			link, err := os.Readlink(path)
			return errors.Join(err, os.Symlink(link, target))
		}
		return copyFile(path, target)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644) | info.Mode()&0o100 | info.Mode()&0o100>>3 | info.Mode()&0o100>>6
	return errors.Join(os.WriteFile(to, data, mode), os.Chmod(to, mode))
}

// run calls the program and compares the results.
func (v *vector) run(t *testing.T, program string) {
	v.needs(t)
	for i, want := range append([]result{v.result}, v.Runs...) {
		v.check(t, program, i+1, want)
	}
	v.checkOrder(t)
	v.checkFiles(t)
}

// check makes the call with this number, from 1 on.
func (v *vector) check(t *testing.T, program string, number int, want result) {
	begin := time.Now()
	status, stdout, stderr := v.call(t, program, number, want.Event)
	if took := time.Since(begin); want.MaxMS > 0 && took > time.Duration(want.MaxMS)*time.Millisecond {
		t.Errorf("call %d took %v", number, took)
	}
	if status != want.Exit {
		t.Errorf("call %d: exit status %d, not %d", number, status, want.Exit)
	}
	checkStdout(t, want.Stdout, stdout)
	for _, text := range want.Stderr {
		if !strings.Contains(stderr, text) {
			t.Errorf("stderr lacks %q", text)
		}
	}
	if want.StderrIs != nil && strings.TrimSpace(stderr) != *want.StderrIs {
		t.Errorf("stderr is not %q", *want.StderrIs)
	}
	if t.Failed() {
		t.Logf("%s (%s)\nstdout: %s\nstderr: %s", v.Why, v.Spec, stdout, stderr)
	}
}

// checkFiles compares files of the project: with a text, with JSON, or with null for none.
func (v *vector) checkFiles(t *testing.T) {
	t.Helper()
	for name, want := range v.Files {
		data, err := os.ReadFile(filepath.Join(v.project, name))
		var got any
		switch want.(type) {
		case nil:
			if err == nil {
				t.Errorf("there is a file %s", name)
			}
			continue
		case string:
			got = strings.TrimSpace(string(data))
		default:
			err = errors.Join(err, json.Unmarshal(data, &got))
		}
		if err != nil || !sameAnswer(v.filled(want), got) {
			t.Errorf("%s is %v (%v), not %v", name, got, err, want)
		}
	}
}

// filled fills the strings of a value.
func (v *vector) filled(value any) any {
	switch value := value.(type) {
	case string:
		return v.fill(value)
	case map[string]any:
		all := map[string]any{}
		for key, inner := range value {
			all[key] = v.filled(inner)
		}
		return all
	}
	return value
}

// needs skips a vector that the system cannot run.
func (v *vector) needs(t *testing.T) {
	t.Helper()
	if len(v.Order) > 0 || v.Async != nil {
		needsShell(t)
	}
	if v.Modes != nil {
		onUnix(t, "permission bits")
	}
	switch v.name {
	case "signal-fails-open":
		onUnix(t, "signals")
	case "entry-run-first":
		onUnix(t, "execute permission, so that scripts/run comes last")
	case "entry-run-py-third":
		if _, err := osexec.LookPath("python3"); runtime.GOOS == "windows" && err != nil {
			t.Skip("python3 is not installed")
		}
	}
}

func (v *vector) call(t *testing.T, program string, number int, event string) (status int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	args := []string{"run", event}
	for _, arg := range v.Args {
		args = append(args, v.fill(arg))
	}
	cmd := osexec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = filepath.Join(v.project, v.Dir), v.environ(), bytes.NewReader(v.event(t, number))
	if v.Stdin == "open" {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		defer out.Close() // after the call
		_, _ = out.Write(v.event(t, number))
		cmd.Stdin = in
	}
	var out, diagnostics bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diagnostics
	err := cmd.Run()
	if exit := (*osexec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), diagnostics.String()
}

func (v *vector) fill(text string) string {
	return strings.NewReplacer("@HOME@", v.home, "@PROJECT@", v.project).Replace(text)
}

// event returns the bytes on stdin of the call with this number: those of event-2.json or, without
// such a file, of event.json.
func (v *vector) event(t *testing.T, number int) []byte {
	t.Helper()
	event, err := os.ReadFile(filepath.Join(v.source, fmt.Sprintf("event-%d.json", number)))
	if errors.Is(err, fs.ErrNotExist) {
		event, err = os.ReadFile(filepath.Join(v.source, "event.json"))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	home, project := filepath.ToSlash(v.home), filepath.ToSlash(v.project)
	event = bytes.ReplaceAll(event, []byte("@HOME@"), []byte(home))
	return bytes.ReplaceAll(event, []byte("@PROJECT@"), []byte(project))
}

func (v *vector) environ() []string {
	env := slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "AGENT_HOOKS_") || strings.HasSuffix(name, "_PROJECT_DIR")
	})
	// A file takes the place of the run log's folder, so that nothing is
	// written into scratch folders while the test removes them.
	env = append(env, "HOME="+v.home, "USERPROFILE="+v.home)
	if v.Runs == nil {
		env = append(env, "XDG_STATE_HOME="+filepath.Join(v.project, ".agents", "no-state"))
	}
	for name, value := range v.Env {
		env = append(env, name+"="+v.fill(value))
	}
	return env
}

func checkStdout(t *testing.T, want any, stdout string) {
	t.Helper()
	if want == nil {
		if strings.TrimSpace(stdout) != "" {
			t.Error("stdout is not empty")
		}
		return
	}
	var got any
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Errorf("stdout: %v", err)
	} else if !sameAnswer(want, got) {
		t.Errorf("stdout is %v, not %v", got, want)
	}
}

// sameAnswer compares answers; "<any>" matches any non-empty string.
func sameAnswer(want, got any) bool {
	wanted, ok1 := want.(map[string]any)
	answer, ok2 := got.(map[string]any)
	if !ok1 || !ok2 {
		return reflect.DeepEqual(want, got)
	}
	for key, value := range wanted {
		text, _ := answer[key].(string)
		if !(value == "<any>" && text != "") && !reflect.DeepEqual(value, answer[key]) {
			return false
		}
	}
	return len(wanted) == len(answer)
}

// checkOrder waits up to a minute for async hooks, and for half a second if
// none may run.
func (v *vector) checkOrder(t *testing.T) {
	t.Helper()
	var async []string
	if v.Async != nil {
		async = *v.Async
		for end := time.Now().Add(time.Minute); len(v.ran(t)) < len(v.Order)+len(async) && time.Now().Before(end); {
			time.Sleep(10 * time.Millisecond)
		}
		if len(async) == 0 {
			time.Sleep(500 * time.Millisecond)
		}
	}
	ran := v.ran(t)
	sync := min(len(v.Order), len(ran))
	if !slices.Equal(ran[:sync], v.Order) || !slices.Equal(slices.Sorted(slices.Values(ran[sync:])), slices.Sorted(slices.Values(async))) {
		t.Errorf("ran %q, not %q and then, in any order, %q", ran, v.Order, async)
	}
}

func (v *vector) ran(t *testing.T) []string {
	t.Helper()
	words, err := os.ReadFile(filepath.Join(v.project, "order"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Fields(string(words))
}
