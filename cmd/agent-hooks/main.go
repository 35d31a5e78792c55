// The command agent-hooks runs hooks written in the Agent Hooks format, for
// any coding agent.
//
// It is a thin layer over the module's packages: flags, wiring, printing and
// exit statuses. Nothing else in the module prints or ends the process, and
// other packages get the environment passed. The table of commands is in
// command.go. The command NAME is in NAME.go, and its larger parts in
// NAME_PART.go; the other files are shared.
//
// A run needs only a few threads for some ms, so the Go runtime need not use the container's
// processor limit.
//
//go:debug containermaxprocs=0
//go:debug updatemaxprocs=0
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/internal/term"
	_ "github.com/agent-hooks/agent-hooks/internal/zone" // before the packages that use the local time
	"github.com/agent-hooks/agent-hooks/spec"
)

func main() { start("") }

// start runs the program for a user with a home directory in the account database; "" to look
// it up.
func start(account string) {
	growStack(os.Args == nil)
	closeOnExec()
	files := startPoller()
	environ := os.Environ()
	os.Exit(Main(&Env{
		Args: os.Args, dir: workingDirectory, Environ: environ, Getenv: lookUp(environ), leave: leaveProject,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Account: account, noFiles: !files,
	}))
}

// lookUp returns a function that returns the value of a variable in environ.
func lookUp(environ []string) func(string) string {
	return func(name string) string {
		for _, kv := range slices.Backward(environ) {
			if key, value, found := strings.Cut(kv, "="); found && (key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name)) {
				return value
			}
		}
		return ""
	}
}

// leaveProject sets the variables of this process, with which it finds and starts other programs.
// Hooks get an environment of their own.
func leaveProject(environ []string) {
	kept := lookUp(environ)
	for _, kv := range os.Environ() {
		if name, value, _ := strings.Cut(kv, "="); name != "" && kept(name) != value {
			_ = os.Unsetenv(name)
		}
	}
	for _, kv := range environ {
		if name, value, _ := strings.Cut(kv, "="); name != "" && os.Getenv(name) != value {
			_ = os.Setenv(name, value)
		}
	}
}

// workingDirectory returns the working directory.
func workingDirectory() string {
	dir, err := os.Getwd()
	if err != nil {
		dir = os.Getenv("PWD") // the directory was removed; its name still shows where the project is
	}
	return dir
}

// growStack makes the stack large enough for a run in one step. Growing it gradually copies it
// five times and reads the tables of every function on it.
//
//go:noinline
func growStack(use bool) byte {
	if !use {
		return 0 // the array is never cleared
	}
	var room [28 << 10]byte
	return room[len(os.Args)]
}

// Env is the environment of the program: arguments, directory, variables and streams.
type Env struct {
	Args    []string // including the program's name
	Dir     string   // the working directory; "" if it was removed
	Environ []string // KEY=value
	Getenv  func(string) string
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	Account string // the user's home directory in the account database; "" to look it up

	dir          func() string  // sets Dir; nil if it is set
	leave        func([]string) // sets the process's variables; nil: they stay
	crashBlocks  bool           // a managed run
	noFiles      bool           // the limit of descriptors leaves none for files: no log is written
	requireTrust bool           // --require-trust

	project, configDir, stateDir string // --project, --config-dir, --state-dir; "" if not given
}

// Main runs the program and returns its exit status. The status is 2 only if run was blocked,
// or a judge blocks in the form of another system (D31, D79).
func Main(env *Env) (status int) {
	// A panic in a goroutine, a deadlock or SIGQUIT would end a Go program
	// with exit status 2, which means blocked: end by SIGABRT instead.
	debug.SetTraceback("crash")
	defer func() {
		if p := recover(); p != nil {
			outcome := "operation allowed"
			status = spec.ExitError
			if env.crashBlocks {
				status, outcome = spec.ExitBlock, "operation blocked"
			}
			fmt.Fprintf(env.Stderr, "agent-hooks: error: internal error: %v; %s\n%s", p, outcome, debug.Stack())
		}
	}()
	if len(env.Args) < 2 {
		env.overview()
		return spec.ExitContinue
	}
	name, args := env.Args[1], env.Args[2:]
	if name != "run" { // test, watch and replay run hooks like run
		env.enter()
		env.Environ = append(env.Environ[:len(env.Environ):len(env.Environ)], trial.ProgramVariable+"="+env.program())
	}
	cmd, err := findCommand(name)
	if err != nil {
		return env.fail(err, spec.ExitUsage)
	}
	status, err = cmd.run(env, args)
	if err == nil {
		return status
	}
	if errors.Is(err, errHelp) {
		return env.help(cmd)
	}
	usage := spec.ExitUsage
	if cmd.name == "run" {
		// An agent may block on any status from 2 up, including death by a signal (D31).
		usage = spec.ExitError
		surviveWrites()
	}
	return env.fail(err, usage)
}

// enter finds the working directory, which may be on a file system that does not respond: run calls it
// only after its deadline has begun (D99).
func (env *Env) enter() {
	if env.dir != nil {
		env.Dir, env.dir = env.dir(), nil
	}
}

// program returns the absolute path of this program, for hooks (D22); "" if it is unknown.
func (env *Env) program() string {
	path, err := os.Executable()
	if err != nil || !filepath.IsAbs(path) {
		return ""
	}
	return path
}

// exitStatus returns the exit status of a command that ran.
func exitStatus(failed bool) int {
	if failed {
		return spec.ExitError
	}
	return spec.ExitContinue
}

// usageError is an invalid call, with a hint that shows a valid one.
type usageError struct{ message, hint string }

func (e usageError) Error() string { return e.message }
func (e usageError) Hint() string  { return e.hint }

func usagef(hint, format string, args ...any) error {
	return usageError{fmt.Sprintf(format, args...), hint}
}

// errHelp makes the program print the command's help.
var errHelp = errors.New("help requested")

// fail prints err and returns the exit status. An error that has a hint is a usage error, with the
// status usage; otherwise the status is 1.
func (env *Env) fail(err error, usage int) int {
	env.say("error", term.Red, err.Error())
	var u interface {
		error
		Hint() string
	}
	if !errors.As(err, &u) {
		return spec.ExitError
	}
	if hint := u.Hint(); hint != "" {
		env.say("hint", term.Bold, hint)
	}
	return usage
}

func (env *Env) warn(format string, args ...any) {
	env.say("warning", term.Yellow, strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
}

// warnAll prints each of the warnings.
func (env *Env) warnAll(warnings []string) {
	for _, w := range warnings {
		env.warn("%s", w)
	}
}

// note prints a message that is not a warning.
func (env *Env) note(format string, args ...any) {
	env.say("note", "", fmt.Sprintf(format, args...))
}

// say prints a message on stderr.
func (env *Env) say(kind, style, text string) {
	fmt.Fprint(env.Stderr, env.paragraph(env.Stderr, 2, "agent-hooks: "+env.paint(env.Stderr, style, kind+":")+" "+term.Printable(text)))
}
