package main

import (
	"cmp"
	"errors"
	"flag"
	"io"
	"os"
	osexec "os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	births "github.com/agent-hooks/agent-hooks/internal/own"
	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// TestMain makes the test binary also the program, so that scripts run real processes.
func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", "8") // most tests wait for processes
	testscript.Main(tests{m}, map[string]func(){
		"agent-hooks":            func() { start(accountHome()) },
		"agent-hooks-panics":     mainPanicking,
		"agent-hooks-goroutine":  mainPanickingInGoroutine,
		"agent-hooks-deadlocked": mainDeadlocked,
		"feed":                   mainFeed,
		"hook-steps":             mainHookSteps,
		"pwsh":                   mainHookSteps,
		"terminal":               mainTerminal,
		"fault-cage":             mainFaultCage,
		"fault-hook":             mainFaultHook,
		"as-user":                mainAsUser,
	})
}

// tests runs the tests with interpreters that start quickly, and with the default action for the
// signals that end programs, which are ignored under nohup and in background jobs.
type tests struct{ *testing.M }

func (t tests) Run() int {
	for _, sig := range endingSignals() {
		if signal.Ignored(sig) {
			signal.Notify(make(chan os.Signal, 1), sig) // child processes start with the default action
		}
	}
	return testenv.Run(t.M.Run)
}

// mainPanicking is the program with a panic in its main goroutine.
func mainPanicking() {
	env := realEnv()
	env.Stdin = panickingReader{}
	env.Getenv = func(string) string { panic("injected") }
	os.Exit(Main(env))
}

// mainPanickingInGoroutine is the program with a panic that cannot be recovered.
func mainPanickingInGoroutine() {
	env := realEnv()
	env.Getenv = func(string) string {
		go func() { panic("injected") }()
		select {}
	}
	os.Exit(Main(env))
}

// mainDeadlocked is the program with a deadlock.
func mainDeadlocked() {
	env := realEnv()
	env.Getenv = func(string) string { select {} }
	os.Exit(Main(env))
}

type panickingReader struct{}

func (panickingReader) Read([]byte) (int, error) { panic("injected") }

// mainFeed runs a command with an event on a pipe that it never closes: feed FILE COMMAND [ARG
// ...]. It exits with the command's status.
func mainFeed() {
	event, err := os.ReadFile(os.Args[1])
	if err != nil {
		os.Exit(90)
	}
	r, w, err := os.Pipe()
	if err != nil {
		os.Exit(91)
	}
	go func() { _, _ = w.Write(event) }()
	cmd := osexec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = r, os.Stdout, os.Stderr
	err = cmd.Run()
	var exit *osexec.ExitError
	switch {
	case errors.As(err, &exit):
		os.Exit(exit.ExitCode())
	case err != nil:
		os.Exit(92)
	}
}

// accountHome returns the account's home directory for a test, which must not see the hooks of
// whoever runs it.
func accountHome() string {
	return cmp.Or(os.Getenv("ACCOUNT_HOME"), os.Getenv("HOME"), os.Getenv("USERPROFILE"))
}

func realEnv() *Env {
	dir, _ := os.Getwd()
	return &Env{Args: os.Args, Dir: dir, Environ: os.Environ(), Getenv: os.Getenv, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Account: accountHome()}
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		Setup:               setupScript,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"alive":    alive,
			"cmpout":   compareOutput,
			"exits":    exits,
			"gone":     gone,
			"signaled": signaled,
			"within":   within,
			"hook":     writeHook,
			"program":  putProgram,
			"waitfor":  waitFor,
			"big":      writeBig,
			"lines":    countLines,
			"flood":    flood,
			"atmost":   atMost,
		},
		Condition: condition,
	})
}

// slow is 1 where a process takes up to a second to start, which Wine needs, and else 0.
var slow = map[bool]int{true: 1}[runtime.GOOS == "windows"]

// setupScript gives each script its own home, state directory and project.
func setupScript(env *testscript.Env) error {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return err
	}
	for _, dir := range []string{"home", "project"} {
		if err := os.MkdirAll(filepath.Join(env.WorkDir, dir), 0o755); err != nil {
			return err
		}
	}
	env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
	env.Setenv("ACCOUNT_HOME", filepath.Join(env.WorkDir, "home"))
	env.Setenv("USERPROFILE", filepath.Join(env.WorkDir, "home"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
	env.Setenv("XDG_CONFIG_HOME", "")
	env.Setenv("USER_HOOKS", filepath.Join(env.WorkDir, "home", ".config", "agents", "hooks"))
	env.Setenv("PROJECT_HOOKS", filepath.Join(env.WorkDir, "project", ".agents", "hooks"))
	env.Setenv("SOURCE", root)
	for name, values := range map[string][2]string{
		"SHORT_DEADLINE": {"1000", "5000"}, "DEADLINE": {"4000", "20000"}, "LONG_DEADLINE": {"8000", "40000"},
	} {
		env.Setenv(name, values[slow])
	}
	if raceDetector {
		env.Setenv("GORACE", os.Getenv("GORACE"))
	}
	return nil
}

// longTests runs all tests at full length, as .ci/run does.
var longTests = os.Getenv("LONG_TESTS") != ""

// skipOrFail skips a test that cannot run here. With LONG_TESTS it fails, so that no test is
// skipped where all of them must run.
func skipOrFail(t *testing.T, why string) {
	t.Helper()
	if longTests {
		t.Fatal(why)
	}
	t.Skip(why)
}

// raceDetector reports a build with the race detector, which keeps Go from detecting deadlocks.
var raceDetector bool

func condition(name string) (bool, error) {
	switch name {
	case "race":
		return raceDetector, nil
	case "long":
		return longTests, nil
	case "sh": // that of TEST_SHELL on Windows, where Git's is not tried
		return runtime.GOOS != "windows" || os.Getenv("TEST_SHELL") != "", nil
	case "console":
		return hasConsole(), nil
	case "root":
		return os.Geteuid() == 0, nil
	case "mounts":
		return osexec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/tmp").Run() == nil, nil
	case "births":
		dir, err := os.MkdirTemp("", "")
		defer os.Remove(dir)
		return births.Since(time.Now().Add(-time.Minute)).Has(dir), err
	case "python3":
		_, err := osexec.LookPath("python3")
		return err == nil, nil
	}
	return false, errors.New("unknown condition " + name)
}

// exits runs a command and asserts its exact exit status, or "signal" if a signal ended it: exits 2
// agent-hooks run ….
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARG ...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	var exit *osexec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() < 0:
		got = "signal"
	case errors.As(err, &exit):
		got = strconv.Itoa(exit.ExitCode())
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
	if args[1] == "agent-hooks" && len(args) > 2 && runtime.GOOS != "windows" && !slices.Contains(args, "--json") {
		homely(ts, args[2])
	}
}

// homely asserts that a command for people writes ~ for the home directory, except in the files and
// the messages of other programs that it quotes.
func homely(ts *testscript.TestScript, command string) {
	home := filepath.Join(ts.Getenv("WORK"), "home")
	quoted := map[string]string{"install": "+", "import": "    ", "test": "      ", "prompt": "", "run": "hook "}
	for line := range strings.SplitSeq(ts.ReadFile("stdout")+ts.ReadFile("stderr"), "\n") {
		start, quotes := quoted[command]
		if strings.Contains(line, home+"/") && ts.Getenv("HOME") == home && !(quotes && strings.HasPrefix(line, start)) {
			ts.Fatalf("%s prints the home directory: %s", command, line)
		}
	}
}

// within asserts that a command ends in time, and its exit status: within 3s 2 agent-hooks run …. A
// busy machine may take longer, but less than half a minute, because what the command must not wait
// for takes at least that long.
func within(ts *testscript.TestScript, neg bool, args []string) {
	limit, err := time.ParseDuration(args[0])
	ts.Check(err)
	busy := 20 * time.Second
	if raceDetector || slow > 0 {
		busy = 90 * time.Second // reading 4,990 faults is 30 times slower there
	}
	began := time.Now()
	exits(ts, neg, args[1:])
	if took := time.Since(began); took > limit+busy {
		ts.Fatalf("took %v, limit %v", took, limit)
	}
}

// writeHook writes a hook: hook DIR NAME SCRIPT [KEY: VALUE ...]. SCRIPT is a line of sh; \n
// separates lines. A new hook appears atomically.
func writeHook(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: hook DIR NAME SCRIPT [KEY: VALUE ...]")
	}
	final := ts.MkAbs(filepath.Join(args[0], args[1]))
	ts.Check(os.MkdirAll(filepath.Dir(final), 0o755))
	dir := final
	if _, err := os.Stat(final); err != nil {
		dir = filepath.Join(ts.Getenv("WORK"), ".new-hook")
		defer func() { ts.Check(os.Rename(dir, final)) }()
	}
	ts.Check(os.MkdirAll(filepath.Join(dir, "scripts"), 0o755))
	front := "---\nname: " + args[1] + "\ndescription: A hook of a test.\n"
	if !strings.Contains(strings.Join(args[3:], "\n"), "trigger:") {
		front += "trigger: pre-tool-call\n"
	}
	for _, line := range args[3:] {
		front += strings.ReplaceAll(line, `\n`, "\n") + "\n"
	}
	ts.Check(os.WriteFile(filepath.Join(dir, "HOOK.md"), []byte(front+"---\n"), 0o644))
	script := "#!/bin/sh\n" + strings.ReplaceAll(args[2], `\n`, "\n") + "\n"
	// A program that is being started cannot be written.
	ts.Check(os.WriteFile(filepath.Join(dir, "scripts", ".run"), []byte(script), 0o755))
	ts.Check(os.Rename(filepath.Join(dir, "scripts", ".run"), filepath.Join(dir, "scripts", "run")))
}

// putProgram puts the program into a folder, by a link if it can: program DIR.
func putProgram(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: program DIR")
	}
	name := "agent-hooks"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	binary, err := os.Executable()
	ts.Check(err)
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o755))
	to := filepath.Join(ts.MkAbs(args[0]), name)
	if runtime.GOOS != "windows" {
		for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
			if program := filepath.Join(dir, name); filepath.IsAbs(program) && os.Symlink(program, to) == nil {
				if _, err := os.Stat(to); err == nil {
					return
				}
				ts.Check(os.Remove(to))
			}
		}
		ts.Fatalf("no %s in PATH", name)
	}
	text, err := os.ReadFile(binary)
	ts.Check(err)
	ts.Check(errors.Join(os.WriteFile(to, text, 0o755), os.Link(to, strings.TrimSuffix(to, ".exe"))))
}

// waitFor waits until a file exists and contains texts in this order: waitfor FILE [TEXT...].
func waitFor(ts *testscript.TestScript, neg bool, args []string) {
	path := ts.MkAbs(args[0])
	var text []byte
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		var err error
		if text, err = os.ReadFile(path); err == nil && inOrder(string(text), args[1:]) {
			return
		}
	}
	ts.Fatalf("%s did not come; it is\n%s", args[0], text)
}

// inOrder reports whether text contains parts one after another.
func inOrder(text string, parts []string) bool {
	for _, part := range parts {
		var found bool
		if _, text, found = strings.Cut(text, part); !found {
			return false
		}
	}
	return true
}

// writeBig writes an event with a value of N MiB in tool_input: big FILE N [COMMAND].
func writeBig(ts *testscript.TestScript, neg bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	command := "ls"
	if len(args) > 2 {
		command = args[2]
	}
	event := `{"tool_name": "Shell", "tool_input": {"command": "` + command + `", "content": "` + strings.Repeat("x", n<<20) + `"}}`
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(event), 0o644))
}

// countLines asserts the number of lines of a file: lines FILE N.
func countLines(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); got != want {
		ts.Fatalf("%s has %d lines, want %d", args[0], got, want)
	}
}

// TestReadEventStalls checks that a pause before or inside the event is an error (D20).
func TestReadEventStalls(t *testing.T) {
	for _, text := range []string{"  ", `{"tool_name": `} {
		r, w := io.Pipe()
		defer w.Close()
		go func() { _, _ = w.Write([]byte(text)) }()
		_, _, err := readEvent(t.Context(), r, 50*time.Millisecond)
		if err == nil || !strings.Contains(err.Error(), "no data arrived for 50ms") {
			t.Errorf("readEvent of a pipe that stalls after %q: %v", text, err)
		}
	}
}

func TestSignalsOfThisSystem(t *testing.T) {
	if len(endingSignals()) == 0 {
		t.Fatalf("no ending signals on %s", runtime.GOOS)
	}
}

// flood creates N folders with a HOOK.md that is expensive to read: flood DIR N FILE. fences.md has
// a fault in each of 32,000 lines, keys.md has 4,990 unknown keys. The files are links to one file,
// as a repository can contain them.
func flood(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: flood DIR N FILE")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := "---\n" + strings.Repeat(" ---\n", 32_000)
	if filepath.Base(args[2]) == "keys.md" {
		text = "---\n"
		for i := range 4990 {
			text += "k" + strconv.Itoa(i) + ":\n"
		}
		text += "---\n"
	}
	file := ts.MkAbs(args[2])
	ts.Check(os.WriteFile(file, []byte(text), 0o644))
	for i := range n {
		dir := filepath.Join(ts.MkAbs(args[0]), "h"+strconv.Itoa(i))
		ts.Check(os.MkdirAll(dir, 0o755))
		if path := filepath.Join(dir, "HOOK.md"); os.Link(file, path) != nil {
			ts.Check(os.WriteFile(path, []byte(text), 0o644))
		}
	}
}

// atMost asserts the maximum number of lines of a file, stdout or stderr: atmost N FILE.
func atMost(ts *testscript.TestScript, neg bool, args []string) {
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := strings.Count(ts.ReadFile(args[1]), "\n"); got > most {
		ts.Fatalf("%s has %d lines, more than %d", args[1], got, most)
	}
}
