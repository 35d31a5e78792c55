package main

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestUtilities compares scripts with what the system's shell and utilities do.
func TestUtilities(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system has no utilities to compare with")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "sh.exe")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const event = `printf '%s\n' '{"tool_input": {"command": "ls a"}, "x": "c:\\d"}' second third`
	scripts := []string{
		`printf -- '-%s\n' a; printf %s b`,
		event + ` | cat`,
		event + ` | cut -d'"' -f4`,
		event + ` | cut -c2`,
		event + ` | grep -o '"command": "[^"]*"'`,
		event + ` | grep -c i`,
		event + ` | grep -v second`,
		event + ` | grep -qE '^(sec|th)+' && echo yes`,
		event + ` | grep -Fx third`,
		event + ` | grep -q nothing; echo $?`,
		event + ` | grep -i 'SECOND\|THIRD'`,
		event + ` | grep 'c:[\]'`,
		event + ` | grep '[[:upper:]]'; echo $?`,
		event + ` | sed -n 's/.*"command": "\([a-z]*\).*/<\1>/p'`,
		event + ` | sed 's/[\\"]/\\&/g'`,
		event + ` | sed 's|/|x|;s/d$/&&/; 2d'`,
		event + ` | sed '2,3s/i*r/(&)/; 1d'`,
		event + ` | sed -n '/sec/p; 3q'`,
		event + ` | sed 's,a\,b,c,; s/$/$1/'`,
		`mkdir d; echo one > d/f; echo two > g; grep -n o d/f g; grep -r one d; grep -l o d/f g; grep -c one d/f g; grep -H two g; grep x none 2>/dev/null; echo $?`,
		event + ` | head -n 1`,
		event + ` | head -2`,
		event + ` | head -c 5`,
		event + ` | tail -n 1`,
		event + ` | tr '"' x`,
		event + ` | tr -d '\n'`,
		event + ` | sort -r`,
		`printf 'a\nb\na\n' | sort -u`,
		`head -c 9 /dev/zero | tr '\0' y | wc -c | tr -d ' '`,
		event + ` | wc -l | tr -d ' '`,
		`mkdir one && mkdir one 2>/dev/null || rmdir one; ls`,
		`mkdir -p a/b; touch a/b/c; rm -r a; ls; rm -f none; echo $?`,
		`rm none 2>/dev/null || echo no`,
		`X=1 env | grep '^X='`,
		`env Y=2 sh -c 'echo $Y'`,
		`echo one > f; cat f - < f; cat nothing 2>/dev/null || echo none`,
	}
	for _, script := range scripts {
		want, _ := run1("/bin/sh", t.TempDir(), script)
		if got, stderr := run1(program, t.TempDir(), script); got != want {
			t.Errorf("%s: %q, not %q; stderr %q", script, got, want, stderr)
		}
	}
	if _, stderr := run1(program, dir, "grep -P x"); !strings.Contains(stderr, "does not have its option -P") {
		t.Errorf("an unknown option: %q", stderr)
	}
}

func run1(program, dir, script string) (stdout, stderr string) {
	cmd := exec.Command(program, "-c", script)
	var out, diagnostics strings.Builder
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &diagnostics
	_ = cmd.Run()
	return out.String(), diagnostics.String()
}
