package discovery

import (
	"slices"
	"strings"
	"testing"
)

// TestEntryOnWindows checks which program of Windows starts a script (SPEC.md 5.1 and 5.2). In PATH are
// the folders of bin, in the order of their names.
func TestEntryOnWindows(t *testing.T) {
	const git = "bin/2/cmd/git.exe=x" // as Git for Windows is installed: its shells are not in PATH
	tests := []struct {
		name string
		tree []string
		argv string // words separated by |; HOOK and BIN stand for the folders; an error begins with "error: "
	}{
		{"sh", []string{"hook/scripts/run=#!/bin/sh -e\n", "bin/1/sh.exe=x", "bin/1/bash.exe=x"}, `BIN\1\sh.exe|-e|HOOK\run`},
		{"bash for sh", []string{"hook/scripts/run=#!/bin/sh\n", "bin/1/bash.exe=x"}, `BIN\1\bash.exe|HOOK\run`},
		{"Git's", []string{"hook/scripts/run=#!/usr/bin/env bash\n", git, "bin/2/bin/bash.exe=x"}, `BIN\2\bin\bash.exe|HOOK\run`},
		{"not that of WSL", []string{"hook/scripts/run=#!/bin/bash\n", "bin/System32/bash.exe=x", git, "bin/2/bin/bash.exe=x"}, `BIN\2\bin\bash.exe|HOOK\run`},
		{"python", []string{"hook/scripts/run=#!/usr/bin/env python3\n", "bin/1/python.exe=x"}, `BIN\1\python.exe|HOOK\run`},
		{"py", []string{"hook/scripts/run.py=#!/usr/bin/python3.12\n", "bin/1/py.exe=x"}, `BIN\1\py.exe|HOOK\run.py`},
		{"no placeholder of the store", []string{"hook/scripts/run=#!/usr/bin/env python3\n", "bin/WindowsApps/python3.exe=x", "bin/2/py.exe=x"}, `BIN\2\py.exe|HOOK\run`},
		{"node", []string{"hook/scripts/run=#!/usr/bin/env node\n", "bin/1/node.exe=x"}, `BIN\1\node.exe|HOOK\run`},
		{"CRLF", []string{"hook/scripts/run=#!/usr/bin/env node\r\nx\r\n", "bin/1/node.exe=x"}, `BIN\1\node.exe|HOOK\run`},
		{"a path of Windows", []string{`hook/scripts/run=#!C:\no\such\node.exe` + "\n", "bin/1/node.exe=x"}, `BIN\1\node.exe|HOOK\run`},
		{"run.sh", []string{"hook/scripts/run.sh=exit", "bin/1/bash.exe=x"}, `BIN\1\bash.exe|HOOK\run.sh`},
		{"run comes last", []string{"hook/scripts/run=#!/usr/bin/env node\n", "hook/scripts/run.ps1=x", "bin/1/node.exe=x", "bin/1/pwsh.exe=x"},
			`BIN\1\pwsh.exe|-NoProfile|-NonInteractive|-ExecutionPolicy|Bypass|-File|HOOK\run.ps1`},
		{"run.ps1", []string{"hook/scripts/run.ps1=x", "bin/1/powershell.exe=x"},
			`BIN\1\powershell.exe|-NoProfile|-NonInteractive|-ExecutionPolicy|Bypass|-File|HOOK\run.ps1`},
		{"nothing", []string{"hook/scripts/run=#!/usr/bin/env ruby\n"}, `error: HOOK\run needs ruby, which is not in PATH`},
		{"no #!", []string{"hook/scripts/run=exit 2", "bin/1/sh.exe=x"}, `BIN\1\sh.exe|HOOK\run`},
		{"a program that is no .exe", []string{"hook/scripts/run=#!/bin/sh\n", "bin/1/sh=x"}, `error: HOOK\run needs sh or bash, which is not in PATH`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h, bin := entryTree(t, test.tree...)
			path := strings.Join([]string{bin + `\1`, bin + `\System32`, bin + `\WindowsApps`, bin + `\2\cmd`, bin + `\2`}, ";")
			entry, err := h.Entry(path)
			expand := strings.NewReplacer("HOOK", h.Dir+`\scripts`, "BIN", bin)
			if want, isError := strings.CutPrefix(expand.Replace(test.argv), "error: "); isError {
				if err == nil || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("got %v, %v; want the error %s", entry, err, want)
				}
				return
			}
			if want := strings.Split(expand.Replace(test.argv), "|"); err != nil || !slices.Equal(entry.Argv, want) {
				t.Errorf("got %q, %v; want %q", entry.Argv, err, want)
			}
		})
	}
}
