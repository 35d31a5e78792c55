//go:build unix

package paths

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestOwnerCheck(t *testing.T) {
	tests := []struct {
		name  string
		owner owner
		fix   string // "" if the file is accepted
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
		var refused *OwnerError
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
		if got := ShellWord(path); got != want {
			t.Errorf("%q: got %s, want %s", path, got, want)
		}
		if bash, err := exec.LookPath("bash"); err == nil {
			output, err := exec.Command(bash, "-c", "printf %s "+ShellWord(path)).Output()
			if err != nil || string(output) != path {
				t.Errorf("%q: bash reads %q, %v", path, output, err)
			}
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
		if got := strings.Join(Guarded(test.dir), " "); got != test.want {
			t.Errorf("%s: got %s", test.dir, got)
		}
	}
}
