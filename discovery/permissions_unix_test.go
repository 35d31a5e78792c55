//go:build unix

package discovery

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

func TestPermissions(t *testing.T) {
	const hook = ".agents/hooks/guard/"
	everything := []string{hook + "HOOK.md=x", hook + "scripts/run=#!/bin/sh", "elsewhere/run=x", "elsewhere/dir/HOOK.md=x"}
	tests := []struct {
		name   string
		tree   []string
		loose  string // made writable by everyone
		refuse string // the path that the error names; "" if there is no error
	}{
		{"all well", nil, "", ""},
		{"above .agents", nil, ".", ""},
		{"not part of it", nil, "elsewhere", ""},
		{".agents", nil, ".agents", ".agents"},
		{"hooks", nil, ".agents/hooks", ".agents/hooks"},
		{"the folder", nil, hook, ".agents/hooks/guard"},
		{"HOOK.md", nil, hook + "HOOK.md", hook + "HOOK.md"},
		{"scripts", nil, hook + "scripts", hook + "scripts"},
		{"the entry point", nil, hook + "scripts/run", hook + "scripts/run"},
		{"another script", []string{hook + "scripts/other=x"}, hook + "scripts/other", hook + "scripts/other"},
		{"a file in a subfolder", []string{hook + "scripts/lib/deep/x=x"}, hook + "scripts/lib/deep/x", hook + "scripts/lib/deep/x"},
		{"a subfolder", []string{hook + "lib/x=x"}, hook + "lib", hook + "lib"},
		{"a hidden file", []string{hook + ".env=x"}, hook + ".env", hook + ".env"},
		{"target of a link to a file", []string{hook + "scripts/lib->../../../../elsewhere/other", "elsewhere/other=x"}, "elsewhere/other", "elsewhere/other"},
		{"a file in a linked folder", []string{hook + "lib->../../../elsewhere/lib", "elsewhere/lib/x=x"}, "elsewhere/lib/x", "elsewhere/lib/x"},
		{"a linked folder in a loop", []string{hook + "lib->../guard"}, "", ""},
		{"a file after a loop", []string{hook + "a->../guard", hook + "z=x"}, hook + "z", hook + "z"},
		{"a link to nowhere", []string{hook + "lib->nowhere"}, "", ""},
		{"target of a link", []string{hook + "scripts/run->../../../../elsewhere/run"}, "elsewhere/run", "elsewhere/run"},
		{"folder of a target", []string{hook + "scripts/run->../../../../elsewhere/run"}, "elsewhere", "elsewhere"},
		{"folder of a link between", []string{hook + "scripts/run->../../../../between/run", "between/run->../elsewhere/run"}, "between", "between"},
		{"relative link in a linked folder", []string{hook + "scripts->../../../elsewhere/scripts", "elsewhere/scripts/run->../run"}, "elsewhere/run", "elsewhere/run"},
		{"HOOK.md by a link", []string{hook + "HOOK.md->../../../elsewhere/dir/HOOK.md"}, "elsewhere/dir", "elsewhere/dir"},
		{"scripts by a link", []string{hook + "scripts->../../../elsewhere"}, "elsewhere", "elsewhere"},
		{"hooks by a link, target", []string{".agents/hooks->../elsewhere", "elsewhere/guard/HOOK.md="}, "elsewhere", "elsewhere"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := testtree.New(t)
			os.Chmod(root, 0o755)
			for _, path := range append(test.tree, everything...) {
				testtree.Plant(root, path) // the target of the test's link exists first
			}
			if test.loose != "" {
				if err := os.Chmod(filepath.Join(root, test.loose), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			dir := filepath.Join(root, ".agents/hooks/guard")
			err := (&Hook{Dir: dir, File: filepath.Join(dir, "HOOK.md")}).Permissions()
			var refused *paths.OwnerError
			errors.As(err, &refused)
			if test.refuse == "" {
				if err != nil {
					t.Error(err)
				}
			} else if want := filepath.Join(root, test.refuse); refused == nil || refused.Path != want || !strings.HasSuffix(err.Error(), " go-w "+want) {
				t.Errorf("got %v, want %s refused", err, want)
			}
		})
	}
}

func TestPermissionsOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	root := testtree.New(t, "agents/hooks/guard/HOOK.md=x")
	file := filepath.Join(root, "agents/hooks/guard/HOOK.md")
	if err := os.Chown(file, 4711, 4711); err != nil {
		t.Fatal(err)
	}
	err := (&Hook{Dir: filepath.Dir(file), File: file}).Permissions()
	if err == nil || !strings.Contains(err.Error(), "belongs to user 4711") || !strings.Contains(err.Error(), "chown 0 "+file) {
		t.Errorf("got %v", err)
	}
}

func TestPermissionsUnknown(t *testing.T) {
	root := testtree.New(t, "agents/hooks/", "loop->loop")
	for _, dir := range []string{"agents/hooks/gone", "loop"} {
		err := (&Hook{Dir: filepath.Join(root, dir)}).Permissions()
		if err == nil || !strings.Contains(err.Error(), "cannot determine who") {
			t.Errorf("%s: got %v", dir, err)
		}
	}
}

// A run checks a limited number of files, and always the HOOK.md and the entry
// point.
func TestPermissionsOfManyFiles(t *testing.T) {
	root := testtree.New(t, ".agents/hooks/guard/HOOK.md=x", ".agents/hooks/guard/scripts/run=#!/bin/sh")
	dir := filepath.Join(root, ".agents/hooks/guard")
	for i := range maxChecked {
		testtree.Plant(root, fmt.Sprintf(".agents/hooks/guard/%04d=x", i))
	}
	h := &Hook{Dir: dir, File: filepath.Join(dir, "HOOK.md")}
	if err := h.Permissions(); err != nil || h.Unchecked() == "" {
		t.Errorf("%v, unchecked %q", err, h.Unchecked())
	}
	for path, want := range map[string]bool{"scripts/run": true, "HOOK.md": true, "0000": true, "scripts/late": false} {
		testtree.Plant(root, ".agents/hooks/guard/scripts/late=x")
		file := filepath.Join(dir, path)
		if err := os.Chmod(file, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, refused, _ := h.Ready(os.Getenv("PATH")); (refused != nil) != want {
			t.Errorf("%s: a run returned %v", path, refused)
		}
		if h.Permissions() == nil {
			t.Errorf("%s: not refused", path)
		}
		if err := os.Chmod(file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
