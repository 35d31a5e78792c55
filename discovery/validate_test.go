package discovery

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
	"github.com/agent-hooks/agent-hooks/spec"
)

func TestValidate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no execute permission")
	}
	const good = "hook/HOOK.md=---\nname: hook\ndescription: d\ntrigger: pre-tool-call\n---\n"
	const bash, python = "!bin/bash=#!/bin/sh\nexit 0\n", "!bin/python3=x"
	tests := []struct {
		name string
		tree []string
		want []string // path:line code
	}{
		{"good", []string{good, "!hook/scripts/run=#!/bin/sh\nexit 0\n", bash}, nil},
		{"good, by env", []string{good, "!hook/scripts/run.py=#!/usr/bin/env python3\n", python}, nil},
		{"a program", []string{good, "!hook/scripts/run=\x7fELF\x02\x00\x00"}, nil},
		{"two files", []string{good, "hook/hook.md=other", "!hook/scripts/run=#!/bin/sh\n"}, []string{"hook.md:0 two-files"}},
		{"two names of one file", []string{good, "hook/hook.md->HOOK.md", "!hook/scripts/run=#!/bin/sh\n"}, nil},
		{"lower case", []string{strings.Replace(good, "HOOK", "hook", 1), "!hook/scripts/run=#!/bin/sh\n"}, nil},
		{"empty", nil, []string{".:0 empty"}},
		{"no entry point", []string{good}, []string{".:0 entry-point"}},
		{"a folder", []string{good, "hook/scripts/run/"}, []string{"scripts/run:0 entry-point"}},
		{"lost bit", []string{good, "hook/scripts/run=#!/bin/sh\n"}, []string{"scripts/run:0 entry-bit"}},
		{"lost bit of run.sh", []string{good, "hook/scripts/run.sh=#!/bin/sh\n", bash}, []string{"scripts/run.sh:0 entry-bit"}},
		{"CRLF", []string{good, "!hook/scripts/run=#!/bin/sh\r\n"}, []string{"scripts/run:1 entry-crlf"}},
		{"CRLF without the bit", []string{good, "hook/scripts/run=#!/bin/sh\r\n"}, []string{"scripts/run:1 entry-crlf"}},
		{"CRLF without #!", []string{good, "hook/scripts/run.sh=exit 0\r\n"}, []string{"scripts/run.sh:1 entry-crlf"}},
		{"no interpreter", []string{good, "!hook/scripts/run=#!/no/such\n"}, []string{"scripts/run:1 entry-interpreter"}},
		{"no interpreter, by env", []string{good, "!hook/scripts/run=#!/usr/bin/env nosuch\n"}, []string{"scripts/run:1 entry-interpreter"}},
		{"no interpreter, by env -S", []string{good, "!hook/scripts/run=#!/usr/bin/env -S /no/such -x\n"}, []string{"scripts/run:1 entry-interpreter"}},
		{"a relative interpreter", []string{good, "!hook/scripts/run=#!python3\n", python}, []string{"scripts/run:1 entry-interpreter"}},
		{"no shell", []string{good, "hook/scripts/run.sh=#!/bin/sh\n"}, []string{"scripts/run.sh:0 entry-interpreter"}},
		{"no #!", []string{good, "!hook/scripts/run=exit 0\n", bash}, []string{"scripts/run:0 entry-shebang"}},
		{"no #! in run.sh", []string{good, "!hook/scripts/run.sh=exit 0\n", bash}, []string{"scripts/run.sh:0 entry-shebang"}},
		{"neither #! nor bit", []string{good, "hook/scripts/run=exit 0\n"}, []string{"scripts/run:0 entry-point"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h, bin := entryTree(t, test.tree...)
			var got []string
			for _, d := range ReadHook(h.Dir, UserScope).Validate(bin) {
				got = append(got, located(h.Dir, d))
				if d.Message == "" || strings.HasSuffix(d.Message, ".") || (d.Line == 0) != (d.Column == 0) {
					t.Errorf("%+v", d)
				}
				if strings.Contains(strings.Split(d.Message, "chmod")[0], h.Dir) {
					t.Errorf("the message repeats the path: %s", d.Message)
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// located returns path:line code, with the path relative to dir.
func located(dir string, d spec.Diagnostic) string {
	text := d
	text.Path, _ = filepath.Rel(dir, d.Path)
	text.Message = ""
	return filepath.ToSlash(text.Path) + ":" + string(rune('0'+d.Line)) + " " + d.Code
}

func TestValidateSyntax(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	scripts := map[string]string{
		"!hook/scripts/run=#!/bin/sh\nx=1\nif true; then\n  fi fi\n":      "scripts/run:4 entry-syntax",
		"!hook/scripts/run.sh=#!/usr/bin/env bash\necho 'open\n":          "scripts/run.sh:2 entry-syntax",
		"!hook/scripts/run.sh=fi\n":                                       "scripts/run.sh:0 entry-shebang|scripts/run.sh:1 entry-syntax",
		"!hook/scripts/run=#!/bin/bash\ntouch \"$0.ran\"; [[ a =~ b ]]\n": "",
		"!hook/scripts/run.py=#!/bin/cat\nif\n":                           "",
	}
	for script, want := range scripts {
		h, _ := entryTree(t, "hook/HOOK.md="+hookText("hook"), script)
		var got []string
		for _, d := range ReadHook(h.Dir, UserScope).Validate(filepath.Dir(bash) + ":/usr/bin:/bin") {
			got = append(got, located(h.Dir, d))
			if strings.Contains(d.Message, h.Dir) {
				t.Errorf("the message repeats the path: %s", d.Message)
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: got %v, want %q", script, got, want)
		}
		if entries, _ := os.ReadDir(filepath.Join(h.Dir, "scripts")); len(entries) != 1 {
			t.Errorf("%q: the script was run", script)
		}
	}
}

// A bash that hangs does not delay validate, and its output is not taken for a
// line number.
func TestBashRejects(t *testing.T) {
	h, bin := entryTree(t, "!bin/bash=#!/bin/sh\necho \"$2: odd\" >&2\nexit 1\n")
	message, rejected := bashRejects(filepath.Join(bin, "bash"), filepath.Join(h.Dir, "run"))
	if !rejected || message != "odd" {
		t.Errorf("got %q, %v", message, rejected)
	}
	if _, rejected := bashRejects(filepath.Join(bin, "gone"), "x"); rejected {
		t.Error("a bash that cannot be started has rejected the script")
	}
	for message, want := range map[string]int{"line 12: x": 12, "odd": 0, "line x: y": 0, "line 3": 0} {
		if line, _ := lineOf(message); line != want {
			t.Errorf("%q: line %d", message, line)
		}
	}
}

func TestValidatePermissions(t *testing.T) {
	root := testtree.New(t, "agents/hooks/hook/HOOK.md="+hookText("hook"), "agents/hooks/hook/scripts/run.sh=#!/bin/sh")
	dir := filepath.Join(root, "agents/hooks/hook")
	loosen(t, filepath.Join(dir, "HOOK.md"))
	var found []spec.Diagnostic
	for _, d := range ReadHook(dir, UserScope).Validate("") {
		if d.Code == "permissions" {
			found = append(found, d)
		}
	}
	if len(found) != 1 || found[0].Path != filepath.Join(dir, "HOOK.md") || !strings.Contains(found[0].Message, "chmod go-w") {
		t.Errorf("got %v", found)
	}
}
