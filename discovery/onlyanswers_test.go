package discovery

import (
	"runtime"
	"testing"
)

func TestOnlyAnswers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no execute permission")
	}
	const good = "hook/HOOK.md=---\nname: hook\ndescription: d\ntrigger: pre-tool-call\n---\n"
	for _, test := range []struct {
		script string
		want   bool
	}{
		{"#!/bin/sh\n# why\ncat >/dev/null\necho no >&2\nexit 2\n", true},
		{"#!/usr/bin/env python3\nimport sys\n\nprint('no', file=sys.stderr)\nsys.exit(2)\n", true},
		{"#!/bin/sh\nprintf '{\"decision\": \"ask\"}'\n", true},
		{"#!/bin/sh\nprintf '{\"decision\": \"%s\"}' \"$x\"\n", false},
		{"#!/bin/sh\necho hello\nexit 0\n", false},
		{"#!/bin/sh\nif grep -q x; then\necho no >&2\nexit 2\nfi\n", false},
		{"#!/bin/sh\necho no >&2; rm x\nexit 2\n", false},
		{"#!/bin/sh\nnotify-send no\nexit 2\n", false},
	} {
		h, _ := entryTree(t, good, "!hook/scripts/run="+test.script)
		if got := h.OnlyAnswers(); got != test.want {
			t.Errorf("%q: %v", test.script, got)
		}
	}
}
