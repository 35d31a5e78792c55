// Command sh runs shell scripts for tests on a Windows without Git's bash, such as the root of
// .ci/windows. It is an interpreter, so that "&" starts no process, and it has no signals. Under the
// name of one of its utilities, it is that utility.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// exitNotFound is the status of a shell that cannot find or parse its program.
const exitNotFound = 127

func main() {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if u, ok := utilities()[name]; ok {
		c := &call{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
		os.Exit(u.do(c, append([]string{name}, os.Args[1:]...)))
	}
	args := os.Args[1:]
	if name == "env" {
		args = append([]string{"-c", `env "$@"`, name}, args...)
	}
	err := run(args)
	var status interp.ExitStatus
	switch {
	case errors.As(err, &status):
		os.Exit(int(status))
	case err != nil:
		fmt.Fprintln(os.Stderr, "sh:", err)
		os.Exit(exitNotFound)
	}
}

// run runs "sh [-e…] FILE [ARG …]", "sh [-e…] -c TEXT [NAME [ARG …]]" or a script on stdin.
func run(args []string) error {
	options, args := splitOptions(args)
	command := false
	params := []string{}
	for _, option := range options {
		letters := strings.TrimPrefix(option, "-")
		if strings.Contains(letters, "c") {
			command = true
			letters = strings.ReplaceAll(letters, "c", "")
		}
		if letters = strings.NewReplacer("l", "", "s", "").Replace(letters); letters != "" {
			params = append(params, "-"+letters)
		}
	}
	var text io.Reader = os.Stdin
	name := "sh"
	switch {
	case command && len(args) > 0:
		text = strings.NewReader(args[0])
		if args = args[1:]; len(args) > 0 {
			name, args = args[0], args[1:]
		}
	case len(args) > 0:
		name = args[0]
		// The script may remove itself, which an open file prevents on Windows.
		script, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			return err
		}
		text, args = bytes.NewReader(script), args[1:]
	}
	return runText(text, name, append(append(params, "--"), args...))
}

// splitOptions separates the options that precede the operands.
func splitOptions(args []string) (options, rest []string) {
	for i, arg := range args {
		if arg == "--" {
			return args[:i], args[i+1:]
		}
		if !strings.HasPrefix(arg, "-") || arg == "-" {
			return args[:i], args[i:]
		}
	}
	return args, nil
}

func runText(text io.Reader, name string, params []string) error {
	program, err := syntax.NewParser().Parse(text, name)
	if err != nil {
		return err
	}
	runner, err := interp.New(
		interp.StdIO(os.Stdin, os.Stdout, os.Stderr),
		interp.Params(params...),
		interp.ExecHandlers(scripts),
		interp.CallHandler(func(_ context.Context, args []string) ([]string, error) {
			if len(args) > 1 && args[0] == "printf" && args[1] == "--" { // which the builtin lacks
				args = append(args[:1:1], args[2:]...)
			}
			return args, nil
		}),
	)
	if err != nil {
		return err
	}
	return runner.Run(context.Background(), program)
}

// scripts starts a script with the program of its #! line, as Git's bash does, and finds programs
// that are named as on Unix by their base name.
func scripts(next interp.ExecHandlerFunc) interp.ExecHandlerFunc {
	return func(ctx context.Context, args []string) error {
		hc := interp.HandlerCtx(ctx)
		if strings.HasPrefix(args[0], "/bin/") || strings.HasPrefix(args[0], "/usr/bin/") {
			args = append([]string{path.Base(args[0])}, args[1:]...)
		}
		if strings.ContainsAny(args[0], `/\`) {
			file := filepath.FromSlash(args[0])
			if !filepath.IsAbs(file) {
				file = filepath.Join(hc.Dir, file)
			}
			if words := shebang(file); words != nil {
				args = append(append(words, file), args[1:]...)
			}
		}
		var assigned []string
		if args[0] == "env" {
			for args = args[1:]; len(args) > 0 && strings.Contains(args[0], "="); args = args[1:] {
				assigned = append(assigned, args[0])
			}
			if len(args) == 0 {
				return printEnv(hc, assigned)
			}
		}
		if u, ok := utilities()[args[0]]; ok {
			status := u.do(&call{dir: hc.Dir, stdin: stdin(hc), stdout: hc.Stdout, stderr: hc.Stderr}, args)
			if status != 0 {
				return interp.ExitStatus(status)
			}
			return nil
		}
		if args[0] == "sleep" { // without a process
			if wait, err := time.ParseDuration(args[len(args)-1] + "s"); err == nil {
				time.Sleep(wait)
				return nil
			}
		}
		if assigned != nil {
			return start(ctx, hc, args, assigned)
		}
		return next(ctx, args)
	}
}

// stdin returns a command's stdin, which is empty if it has none.
func stdin(hc interp.HandlerContext) io.Reader {
	if hc.Stdin == nil {
		return strings.NewReader("")
	}
	return hc.Stdin
}

func printEnv(hc interp.HandlerContext, assigned []string) error {
	for _, kv := range append(environ(hc), assigned...) {
		if _, err := fmt.Fprintln(hc.Stdout, kv); err != nil {
			return err
		}
	}
	return nil
}

func environ(hc interp.HandlerContext) (env []string) {
	for name, value := range hc.Env.Each {
		if value.Exported {
			env = append(env, name+"="+value.Str)
		}
	}
	return env
}

// start starts a program with more variables than the script has.
func start(ctx context.Context, hc interp.HandlerContext, args, assigned []string) error {
	path, err := interp.LookPathDir(hc.Dir, hc.Env, args[0])
	if err != nil {
		fmt.Fprintln(hc.Stderr, err)
		return interp.ExitStatus(exitNotFound)
	}
	cmd := exec.CommandContext(ctx, path, args[1:]...)
	cmd.Dir, cmd.Env = hc.Dir, append(environ(hc), assigned...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = hc.Stdin, hc.Stdout, hc.Stderr
	err = cmd.Run()
	if ended := (*exec.ExitError)(nil); errors.As(err, &ended) {
		return interp.ExitStatus(ended.ExitCode())
	}
	return err
}

// shebang returns the words of a file's #! line, with the program's base name; nil if it has none.
func shebang(file string) []string {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	line, _ := bufio.NewReader(io.LimitReader(f, 200)).ReadString('\n')
	rest, ok := strings.CutPrefix(line, "#!")
	words := strings.Fields(rest)
	if !ok || len(words) == 0 {
		return nil
	}
	words[0] = path.Base(words[0])
	if words[0] == "env" && len(words) > 1 {
		words = words[1:]
	}
	return words
}
