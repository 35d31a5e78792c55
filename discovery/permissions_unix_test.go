//go:build unix

package discovery

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

func TestOwnerCheck(t *testing.T) {
	tests := []struct {
		name  string
		owner owner
		fix   string // "" = not refused
	}{
		{"mine", owner{mode: 0o755, uid: 7, gid: 9, user: 7}, ""},
		{"root's", owner{mode: 0o755, uid: 0, gid: 0, user: 7}, ""},
		{"another's", owner{mode: 0o700, uid: 8, gid: 7, user: 7}, "chown 7 '/a b'"},
		{"another's, seen by root", owner{mode: 0o700, uid: 8, gid: 8, user: 0}, "chown 0 '/a b'"},
		{"everyone", owner{mode: 0o757, uid: 7, gid: 7, user: 7}, "chmod go-w '/a b'"},
		{"everyone, sticky", owner{mode: os.ModeDir | os.ModeSticky | 0o777, uid: 0, gid: 0, user: 7}, "chmod go-w '/a b'"},
		{"private group", owner{mode: 0o775, uid: 7, gid: 7, user: 7}, ""},
		{"another group", owner{mode: 0o775, uid: 7, gid: 9, user: 7}, "chmod go-w '/a b'"},
		{"root's file, my group", owner{mode: 0o775, uid: 0, gid: 7, user: 7}, "chmod go-w '/a b'"},
		{"group may only read", owner{mode: 0o750, uid: 7, gid: 9, user: 7}, ""},
	}
	for _, test := range tests {
		err := test.owner.check("/a b")
		var refused *PermissionError
		if test.fix == "" {
			if err != nil {
				t.Errorf("%s: %v", test.name, err)
			}
		} else if !errors.As(err, &refused) || refused.Fix != test.fix || refused.Path != "/a b" {
			t.Errorf("%s: got %v, want %s", test.name, err, test.fix)
		}
	}
}

func TestShellWord(t *testing.T) {
	for path, want := range map[string]string{"/a/b-c.d": "/a/b-c.d", "/a b": "'/a b'", "/it's": `'/it'\''s'`, "/é": "'/é'", "/a'\"\n\x1b\\": `$'/a\'"\n\x1b\\'`} {
		if got := shellWord(path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
		if bash, err := exec.LookPath("bash"); err == nil {
			output, err := exec.Command(bash, "-c", "printf %s "+shellWord(path)).Output()
			if err != nil || string(output) != path {
				t.Errorf("%q: bash reads %q, %v", path, output, err)
			}
		}
	}
}

func TestPermissions(t *testing.T) {
	const hook = ".agents/hooks/guard/"
	everything := []string{hook + "HOOK.md=x", hook + "scripts/run=#!/bin/sh", "elsewhere/run=x", "elsewhere/dir/HOOK.md=x"}
	tests := []struct {
		name   string
		tree   []string
		loose  string // made writable by everyone
		refuse string // the path that the error names, "" = none
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
				testtree.Plant(root, path) // what the test links is there first
			}
			if test.loose != "" {
				if err := os.Chmod(filepath.Join(root, test.loose), 0o777); err != nil {
					t.Fatal(err)
				}
			}
			dir := filepath.Join(root, ".agents/hooks/guard")
			err := (&Hook{Dir: dir, File: filepath.Join(dir, "HOOK.md")}).Permissions()
			var refused *PermissionError
			errors.As(err, &refused)
			if test.refuse == "" {
				if err != nil {
					t.Error(err)
				}
			} else if want := filepath.Join(root, test.refuse); refused == nil || refused.Path != want || !strings.Contains(err.Error(), "chmod go-w "+want) {
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

func TestGuarded(t *testing.T) {
	tests := []struct{ dir, want string }{
		{"/h/.config/agents/hooks/n", "/h/.config/agents/hooks/n /h/.config/agents/hooks /h/.config/agents"},
		{"/agents/p/.agents/hooks/n", "/agents/p/.agents/hooks/n /agents/p/.agents/hooks /agents/p/.agents"},
		{"/x/y/n", "/x/y/n /x/y"},
		{"/", "/"},
	}
	for _, test := range tests {
		if got := strings.Join(guarded(test.dir), " "); got != test.want {
			t.Errorf("%s: got %s", test.dir, got)
		}
	}
}

// A run checks so many files, and always the HOOK.md and the entry point.
func TestPermissionsOfManyFiles(t *testing.T) {
	root := testtree.New(t, ".agents/hooks/guard/HOOK.md=x", ".agents/hooks/guard/scripts/run=#!/bin/sh")
	dir := filepath.Join(root, ".agents/hooks/guard")
	for i := range MaxChecked {
		testtree.Plant(root, fmt.Sprintf(".agents/hooks/guard/%04d=x", i))
	}
	h := &Hook{Dir: dir, File: filepath.Join(dir, "HOOK.md")}
	if err := h.Permissions(); err != nil || !h.Unchecked() {
		t.Errorf("%v, unchecked %t", err, h.Unchecked())
	}
	for path, want := range map[string]bool{"scripts/run": true, "HOOK.md": true, "0000": true, "scripts/late": false} {
		testtree.Plant(root, ".agents/hooks/guard/scripts/late=x")
		file := filepath.Join(dir, path)
		if err := os.Chmod(file, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, refused, _ := h.Ready(os.Getenv("PATH")); (refused != nil) != want {
			t.Errorf("%s: a run says %v", path, refused)
		}
		if h.Permissions() == nil {
			t.Errorf("%s: not refused", path)
		}
		if err := os.Chmod(file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
