package discovery

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

// entryTree creates a hook's folder and a folder bin of programs. A path that
// begins with "!" is executable.
func entryTree(t *testing.T, paths ...string) (h *Hook, bin string) {
	t.Helper()
	root := testtree.New(t, "hook/", "bin/")
	for _, path := range paths {
		path, executable := strings.CutPrefix(path, "!")
		if err := testtree.Plant(root, path); err != nil {
			t.Fatal(err)
		}
		if executable {
			name, _, _ := strings.Cut(path, "=")
			if err := os.Chmod(filepath.Join(root, name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	dir := filepath.Join(root, "hook")
	return &Hook{Dir: dir, Folder: "hook", State: Active}, filepath.Join(root, "bin")
}

func TestEntry(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no execute permission")
	}
	const bash, sh, python, python3 = "!bin/bash=x", "!bin/sh=x", "!bin/python=x", "!bin/python3=x"
	const crlf = "its lines end with a carriage return (CRLF), which a shell takes as a part of each command; save the script with LF line endings"
	tests := []struct {
		name string
		tree []string
		argv string // HOOK and BIN stand for the folders; an error begins with "error: "
	}{
		{"run", []string{"!hook/scripts/run=#!/bin/sh", "!hook/scripts/run.sh=#!/bin/sh"}, "HOOK/run"},
		{"run, a binary", []string{"!hook/scripts/run=\x7fELF\x00", bash}, "HOOK/run"},
		{"run without #!", []string{"!hook/scripts/run=exit 2", bash, sh}, "BIN/bash HOOK/run"},
		{"run without #!, no bash", []string{"!hook/scripts/run=# a comment\nexit 2", sh}, "BIN/sh HOOK/run"},
		{"run, empty", []string{"!hook/scripts/run=\n", bash}, "HOOK/run"},
		{"run without #!, no shell", []string{"!hook/scripts/run=exit 2"}, "error: HOOK/run needs bash or sh, which is not in PATH"},
		{"run.ps1 is for Windows", []string{"hook/scripts/run.ps1=exit 2"}, "error: FOLDER/scripts has no run, run.sh or run.py"},
		{"run by a link", []string{"!hook/run=#!/bin/sh", "hook/scripts/run->../run"}, "HOOK/run"},
		{"run without the bit is last", []string{"hook/scripts/run=#!/bin/sh", "hook/scripts/run.py=", python3}, "BIN/python3 HOOK/run.py"},
		{"run.sh before run.py", []string{"!hook/scripts/run.sh=#!/bin/sh\n", "!hook/scripts/run.py=#!/bin/sh"}, "HOOK/run.sh"},
		{"run.sh without the bit", []string{"hook/scripts/run.sh=#!/bin/sh", bash, sh}, "BIN/bash HOOK/run.sh"},
		{"run.sh without #!", []string{"!hook/scripts/run.sh=exit", bash}, "BIN/bash HOOK/run.sh"},
		{"run.sh, no bash", []string{"hook/scripts/run.sh=", sh, "bin/bash=not executable"}, "BIN/sh HOOK/run.sh"},
		{"run.sh, no shell", []string{"hook/scripts/run.sh=", "bin/sh/", python}, "error: HOOK/run.sh needs bash or sh, which is not in PATH"},
		{"run.py", []string{"!hook/scripts/run.py=#!/bin/sh"}, "HOOK/run.py"},
		{"run.py without #!", []string{"!hook/scripts/run.py=", python, python3}, "BIN/python3 HOOK/run.py"},
		{"run.py, no python3", []string{"hook/scripts/run.py=", python}, "BIN/python HOOK/run.py"},
		{"run.py, no python", []string{"hook/scripts/run.py=", bash}, "error: HOOK/run.py needs python3 or python, which is not in PATH"},
		{"#!", []string{"hook/scripts/run=#!/bin/sh\nexit 0\n"}, "/bin/sh HOOK/run"},
		{"#! with an argument", []string{"hook/scripts/run=#! /bin/sh -e -u \n"}, "/bin/sh|-e -u|HOOK/run"},
		{"#! env", []string{"hook/scripts/run=#!/usr/bin/env python3\n"}, "/usr/bin/env python3 HOOK/run"},
		{"#! env -S", []string{"hook/scripts/run=#!/usr/bin/env -S python3 -u\n"}, "/usr/bin/env|-S python3 -u|HOOK/run"},
		{"#! missing", []string{"hook/scripts/run=#!/no/such/thing\n"}, `error: HOOK/run: the interpreter "/no/such/thing" is not an installed program`},
		{"#! relative", []string{"hook/scripts/run=#!sh\n"}, `error: HOOK/run: the interpreter "sh" is not an installed program`},
		{"#! a folder", []string{"hook/scripts/run=#!/bin\n"}, `error: HOOK/run: the interpreter "/bin" is not an installed program`},
		{"#! alone", []string{"hook/scripts/run=#!\n"}, "error: HOOK/run has neither an execute permission nor a #! line"},
		{"#! CRLF", []string{"hook/scripts/run=#!/bin/sh\r\n"}, "error: HOOK/run: its #! line ends with a carriage return (CRLF); save the script with LF line endings"},
		{"#! CRLF, executable", []string{"!hook/scripts/run=#!/usr/bin/env bash\r\n"}, "error: HOOK/run: its #! line ends with a carriage return (CRLF); save the script with LF line endings"},
		{"#! CRLF, Python", []string{"!hook/scripts/run.py=#!/usr/bin/env python3\r\nx\r\n", python3}, "error: HOOK/run.py: its #! line ends with a carriage return (CRLF); save the script with LF line endings"},
		{"#! CRLF, split by env", []string{"!hook/scripts/run=#!/usr/bin/env -S python3\r\nx\r\n"}, "HOOK/run"},
		{"CRLF that Python reads", []string{"hook/scripts/run.py=#!/usr/bin/env python3\r\nx\r\n", python3}, "BIN/python3 HOOK/run.py"},
		{"CRLF without #!", []string{"hook/scripts/run.sh=exit 0\r\n", bash}, "error: HOOK/run.sh: " + crlf},
		{"CRLF without #!, executable", []string{"!hook/scripts/run=exit 0\r", bash}, "error: HOOK/run: " + crlf},
		{"CRLF after the #! line", []string{"!hook/scripts/run=#!/bin/sh\nexit 0\r\n"}, "error: HOOK/run: " + crlf},
		{"a carriage return in a text", []string{"!hook/scripts/run=#!/bin/sh\nprintf 'a\r\n'\nexit 0\n"}, "HOOK/run"},
		{"no #!", []string{"hook/scripts/run=exit 0"}, "error: HOOK/run has neither an execute permission nor a #! line"},
		{"empty", []string{"hook/scripts/run="}, "error: HOOK/run has neither an execute permission nor a #! line"},
		{"no scripts", nil, "error: FOLDER has no folder scripts; an entry point is scripts/run, scripts/run.sh or scripts/run.py"},
		{"another extension", []string{"hook/scripts/run.js=x"}, "error: FOLDER/scripts has no run, run.sh or run.py, but run.js; begin it with a #! line that names its interpreter, and rename it: mv run.js run && chmod +x run"},
		{"no candidate", []string{"hook/scripts/main=x"}, "error: FOLDER/scripts has no run, run.sh or run.py"},
		{"scripts is a file", []string{"hook/scripts=x"}, "error: HOOK/run: not a directory"},
		{"scripts is a dangling link", []string{"hook/scripts->gone"}, "error: FOLDER/scripts is a symbolic link that leads nowhere"},
		{"a folder", []string{"hook/scripts/run/"}, "error: HOOK/run is a directory, not a file"},
		{"a folder and a script", []string{"hook/scripts/run/", "!hook/scripts/run.sh=#!/bin/sh"}, "HOOK/run.sh"},
		{"leads nowhere", []string{"hook/scripts/run.sh->gone"}, "error: HOOK/run.sh is a symbolic link that leads nowhere"},
		{"leads in a loop", []string{"hook/scripts/run->run"}, "error: HOOK/run: too many levels of symbolic links"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h, bin := entryTree(t, test.tree...)
			entry, err := h.Entry("relative:.:" + bin)
			expand := strings.NewReplacer("HOOK", h.Dir+"/scripts", "BIN", bin, "FOLDER", h.Dir)
			if want, isError := strings.CutPrefix(expand.Replace(test.argv), "error: "); isError {
				if err == nil || err.Error() != want {
					t.Errorf("got %v, %v; want the error %s", entry, err, want)
				}
				return
			}
			separator := " "
			if strings.Contains(test.argv, "|") {
				separator = "|"
			}
			want := strings.Split(expand.Replace(test.argv), separator)
			if info, err := os.Stat(entry.Script); err == nil && entry.NotExecutable != (info.Mode()&0o111 == 0) {
				t.Errorf("not executable: %v", entry.NotExecutable)
			}
			if err != nil || !slices.Equal(entry.Argv, want) || entry.Script != want[len(want)-1] {
				t.Errorf("got %v, %v; want %q", entry, err, want)
			}
		})
	}
}

// The event determines the working directory, so it must not determine the
// interpreter.
func TestEntryRelativePath(t *testing.T) {
	h, bin := entryTree(t, "hook/scripts/run.sh=", "!bin/bash=x")
	t.Chdir(filepath.Dir(bin))
	for _, path := range []string{"bin", "./bin", "", "."} {
		if entry, err := h.Entry(path); err == nil {
			t.Errorf("PATH %q: got %q", path, entry.Argv)
		}
	}
	t.Chdir(bin)
	if entry, err := h.Entry(":.:"); err == nil {
		t.Errorf("got %q", entry.Argv)
	}
}

func TestEntryFIFO(t *testing.T) {
	h, _ := entryTree(t, "hook/scripts/")
	makeFIFO(t, filepath.Join(h.Dir, "scripts", "run"))
	_, err := h.Entry("")
	if err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("got %v", err)
	}
}

func TestInterpreter(t *testing.T) {
	tests := []struct{ line, program, arguments string }{
		{"/bin/sh", "/bin/sh", ""},
		{"/bin/sh -e\r", "/bin/sh", "-e"},
		{"/usr/bin/env python3", "python3", ""},
		{"/usr/bin/env -S python3 -u", "python3", "-u"},
		{"/usr/bin/env -Spython3 -u", "python3", "-u"},
		{"/usr/bin/env --split-string=node --test", "node", "--test"},
		{"/usr/bin/env -i A=b -S C=d sh -c x", "sh", "-c x"},
		{"/usr/bin/env", "/usr/bin/env", ""},
		{"/usr/bin/env -i", "/usr/bin/env", ""},
		{"", "", ""},
	}
	for _, test := range tests {
		program, arguments := interpreter(test.line)
		if program != test.program || strings.Join(arguments, " ") != test.arguments {
			t.Errorf("%q: got %q, %q", test.line, program, arguments)
		}
	}
}
