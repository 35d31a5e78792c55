//go:build unix

package environ

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/testtree"
)

// where returns a project and a working directory below root. No path of the
// test is in a temporary directory.
func clean(t *testing.T, root string, asRoot bool, variables ...string) *Cleaned {
	t.Helper()
	return Clean(variables, Where{
		Project: func() []string { return []string{filepath.Join(root, "project"), filepath.Join(root, "elsewhere")} },
		Homes:   func() []string { return []string{"/home/nobody", filepath.Join(root, "home")} },
		Keep:    []string{"GIT_SSH_COMMAND"},
		Sets:    []string{"CONTRACT_DIR"},
		Root:    asRoot,
	})
}

func TestClean(t *testing.T) {
	root := testtree.New(t, "project/bin/x=", "elsewhere/y=", "home/bin/z=", "link->project/bin", "proc->/proc/self/cwd")
	tests := []struct{ in, out string }{
		{"A=1", "A=1"},
		{"novalue", "novalue"},
		{"PYTHONPATH=/usr/lib/x:/opt/y", "PYTHONPATH=/usr/lib/x:/opt/y"},
		{"PYTHONPATH=/usr/lib/x::lib:@/project/a:/proc/self/cwd:/dev/fd/3:/tmp/x:/dev/shm/y:/var/tmp/z", "PYTHONPATH=/usr/lib/x"},
		{"PYTHONPATH=/usr/../proc/self/cwd:/usr/./../proc/1", ""},
		{"PYTHONPATH=", ""},
		{"PYTHONPATH=/usr/lib/$X:/usr/lib/a b:/usr/lib/`x`:~/x", ""},
		{"JAVA_HOME=/usr/lib/jvm", "JAVA_HOME=/usr/lib/jvm"},
		{"JAVA_HOME=/usr/lib/jvm:/x", ""},
		{"JAVA_HOME=jvm", ""},
		{"JAVA_HOME=@/link", ""},
		{"JAVA_HOME=@/proc", ""},
		{"JAVA_HOME=/@/elsewhere", ""},
		{"NODE_OPTIONS=--use-system-ca", "NODE_OPTIONS=--use-system-ca"},
		{"NODE_OPTIONS=--use-system-ca -r x", ""},
		{"GIT_SSH_COMMAND=anything", "GIT_SSH_COMMAND=anything"},
		{"git_ssh_command=anything", ""},
		{"PAGER=less", "PAGER=less"},
		{"PAGER=/usr/bin/less", "PAGER=/usr/bin/less"},
		{"PAGER=less -R", ""},
		{"SHELL=/bin/bash", "SHELL=/bin/bash"},
		{"SHELL=@/project/bin/x", ""},
		{"HOME=@/home", "HOME=@/home"},
		{"HOME=@/project/home", "HOME=/home/nobody"},
		{"HOME=", "HOME=/home/nobody"},
		{"XDG_CONFIG_HOME=@/project/x", ""},
		{"XDG_CONFIG_HOME=@/home/x", "XDG_CONFIG_HOME=@/home/x"},
		{"PYTHONUTF8=1", "PYTHONUTF8=1"},
		{"PYTHONUTF8=x", ""},
		{"PYTHONHASHSEED=0", "PYTHONHASHSEED=0"},
		{"PYTHONHASHSEED=x", ""},
		{"PYTHONIOENCODING=utf-8", "PYTHONIOENCODING=utf-8"},
		{"PYTHONIOENCODING=utf-16", ""},
		{"PYTHONHOME=/usr/share", ""},
		{"OPENSSL_CONF=/etc/passwd", ""},
		{"RIPGREP_CONFIG_PATH=/etc/passwd", ""},
		{"PYENV_HOOK_PATH=hooks", ""},
		{"PYENV_HOOK_PATH=/etc/x:@/project/hooks", "PYENV_HOOK_PATH=/etc/x"},
		{"PYENV_VERSION=3.12", "PYENV_VERSION=3.12"},
		{"__PYVENV_LAUNCHER__=@/project/bin/x", ""},
		{"_PYTHON_SYSCONFIGDATA_NAME=evil", ""},
		{"UV_ENV_FILE=.env", ""},
		{"VOLTA_HOME=@/project/bin", ""},
		{"fish_function_path=/usr/x", ""},
		{"XDG_DATA_HOME=@/project/x", ""},
		{"TMPDIR=@/home", "TMPDIR=@/home"},
		{"TMPDIR=@/project", ""},
		{"TMPDIR=@/none", ""},
		{"TMPDIR=@/project/bin/x", ""},
		{"TMP=/proc", ""},
		{"TEMP=/sys", ""},
		{"PYTHONPATH=" + strings.Repeat("/a", 60_000), ""},
		{"GIO_EXTRA_MODULES=@/project/bin", ""},
		{"ZIPOPT=-T -TT=@/project/bin/x", ""},
		{"ZIPOPT=-TT@/project/bin/x", ""},
		{"ZIPOPT=-TT@/projects/bin/x", "ZIPOPT=-TT@/projects/bin/x"},
		{"SSL_CERT_FILE=@/link", ""},
		{"SSL_CERT_FILE=@/home/../project/new.pem", ""},
		{"SSL_CERT_FILE=bin/x", ""},
		{"SSL_CERT_FILE=./y", ""},
		{"SSL_CERT_FILE=bin/none", ""},
		{"SSL_CERT_FILE=none/x", "SSL_CERT_FILE=none/x"},
		{"GIO_EXTRA_MODULES=.", ""},
		{"AWS_CONFIG_FILE=$PWD/x", ""},
		{"AWS_CONFIG_FILE=~/../project/x", ""},
		{"AWS_CONFIG_FILE=~/x", "AWS_CONFIG_FILE=~/x"},
		{"MAGIC=/dev/stdin", ""},
		{"COST=$5", "COST=$5"},
		{"DBUS_SESSION_BUS_ADDRESS=unix:path=%2fdev%2Ffd/3", ""},
		{"SSL_CERT_FILE=file://@/%70roject/x", ""},
		{"A=100%", "A=100%"},
		{"SSL_CERT_FILE=/etc/ssl/cert.pem", "SSL_CERT_FILE=/etc/ssl/cert.pem"},
		{"DBUS_SESSION_BUS_ADDRESS=unix:path=@/project/bus,guid=1", ""},
		{"DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus", "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1000/bus"},
		{"GNUPGHOME=/proc/self/cwd/gpg", ""},
		{"GNUPGHOME=bin", ""},
		{"GNUPGHOME=none", "GNUPGHOME=none"},
		{"APP_MODE=bin", "APP_MODE=bin"},
		{"CONFIG_FILE=", "CONFIG_FILE="},
		{"GPG_TTY=/dev/pts/0", "GPG_TTY=/dev/pts/0"},
		{"JSON={\"dir\": \"@/project\"}", ""},
		{"LS_COLORS=*.tar=01;31:*.sh=1", "LS_COLORS=*.tar=01;31:*.sh=1"},
		{"CONTRACT_DIR=@/project", "CONTRACT_DIR=@/project"},
		{"PATH=", "PATH=+"},
		{"PATH=/none", "PATH=/none+"},
		{"PATH=:.:bin:/usr/bin:", "PATH=/usr/bin+"},
		{"PATH=/proc/self/cwd:/dev/fd:@/proc:/usr/bin", "PATH=/usr/bin+"},
		{"PATH=@/project/bin:/usr/bin:@/home/bin", "PATH=/usr/bin:@/home/bin+:@/project/bin"},
		{"PATH=@/link:/usr/bin", "PATH=/usr/bin+:@/link"},
		{"PATH=@/link/../bin:/usr/bin", "PATH=/usr/bin+:@/link/../bin"},
		{"PATH=/usr/bin:@/elsewhere/bin", "PATH=/usr/bin+:@/elsewhere/bin"},
		{"PATH=/opt/My Tools (x86)/bin:/usr/bin", "PATH=/opt/My Tools (x86)/bin:/usr/bin+"},
	}
	for _, test := range tests {
		in, want := strings.ReplaceAll(test.in, "@", root), strings.ReplaceAll(test.out, "@", root)
		same := in == strings.Replace(want, "+", "", 1)
		want = withFolders(want)
		c := clean(t, root, true, in)
		if got := strings.Join(c.Environ(false), " "); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
		name, _, _ := strings.Cut(in, "=")
		reported := fmt.Sprint(c.Notes(), c.Shortened, c.Led)
		if !same && in != "PYTHONPATH=" && in != "PATH=" && !strings.Contains(reported, name) {
			t.Errorf("%s: the notes are %q", in, reported)
		}
	}
}

// withFolders replaces the + of a PATH by the standard folders that it lacks.
func withFolders(path string) string {
	before, after, found := strings.Cut(path, "+")
	if !found {
		return path
	}
	before = strings.TrimPrefix(before, "PATH=")
	folders := strings.Join(missingFolders(strings.Split(before, ":")), ":")
	if before != "" && folders != "" {
		folders = ":" + folders
	}
	return "PATH=" + before + folders + after
}

// TestOtherNames checks that a directory is found under another name, which a
// mount gives it.
func TestOtherNames(t *testing.T) {
	root := testtree.New(t, "project/lib/x=", "other/y=")
	other := filepath.Join(root, "other")
	if os.Getenv("ENVIRON_MOUNTED") == "" {
		run := exec.Command("unshare", "-rm", "sh", "-c", `mount --bind "$1" "$2" && exec "$0" -test.run=TestOtherNames`, os.Args[0], filepath.Join(root, "project"), other)
		run.Env = append(os.Environ(), "ENVIRON_MOUNTED="+root)
		if out, err := run.CombinedOutput(); strings.Contains(string(out), "FAIL") {
			t.Error(string(out))
		} else if err != nil {
			t.Skipf("%v: %s", err, out)
		}
		return
	}
	root = os.Getenv("ENVIRON_MOUNTED")
	c := clean(t, root, true, "PYTHONPATH="+root+"/other/lib", "PATH="+root+"/other:/usr/bin", "XDG_CONFIG_HOME="+root+"/other/none", "HOME="+root+"/home")
	if got := strings.Join(c.Environ(false), " "); got != withFolders("PATH=/usr/bin+:"+root+"/other")+" HOME="+root+"/home" {
		t.Errorf("%q", got)
	}
}

// TestProjectsPath checks that a project's own hooks keep the order of PATH.
func TestProjectsPath(t *testing.T) {
	root := testtree.New(t, "project/bin/x=")
	given, led := "PATH="+filepath.Join(root, "project/bin")+":/usr/bin:lib", "L="+filepath.Join(root, "project")
	c := clean(t, root, false, "A=1", given, led, "B=2")
	if got, want := strings.Join(c.Environ(true), " "), "A=1 "+withFolders("PATH="+filepath.Join(root, "project/bin")+":/usr/bin+")+" B=2 "+led; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := strings.Join(c.Environ(false), " "), "A=1 "+withFolders("PATH=/usr/bin+:"+filepath.Join(root, "project/bin"))+" B=2"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWideDirectories checks that a project or working directory that contains a
// home or a system directory is not a boundary.
func TestWideDirectories(t *testing.T) {
	root := testtree.New(t, "home/bin/x=")
	for _, dir := range []string{"/", "/usr", filepath.Join(root, "home"), root} {
		c := Clean([]string{"PATH=" + filepath.Join(root, "home/bin") + ":/usr/bin", "PYTHONPATH=/usr/lib/x"}, Where{
			Project: func() []string { return []string{dir} },
			Homes:   func() []string { return []string{"", filepath.Join(root, "home")} },
		})
		if len(c.Moved)+len(c.Dropped)+len(c.Shortened) > 0 {
			t.Errorf("in %s: %q", dir, c.Notes())
		}
	}
}

// TestRootsEntries checks that an entry of PATH that only root can change keeps
// its place, unless root runs the hooks.
func TestRootsEntries(t *testing.T) {
	const dir = "/usr/share/doc"
	if paths.CheckRoot(dir) != nil {
		t.Skipf("%s is not a directory that only root can change", dir)
	}
	for _, asRoot := range []bool{false, true} {
		c := Clean([]string{"PATH=" + dir + ":/usr/bin"}, Where{
			Project: func() []string { return []string{dir} },
			Homes:   func() []string { return nil },
			Root:    asRoot,
		})
		if moved := slices.Contains(c.Moved, dir); moved != asRoot {
			t.Errorf("as root %v: moved %v", asRoot, moved)
		}
	}
}

func TestTemporary(t *testing.T) {
	root := testtree.New(t, "home/tmp/x=")
	c := clean(t, root, false, "TMPDIR=/opt/scratch", "PYTHONPATH=/opt/scratch/lib:/opt/lib")
	if got := strings.Join(c.Environ(false), " "); got != "PYTHONPATH=/opt/lib" {
		t.Errorf("%q", got)
	}
	c = clean(t, root, false, "TMPDIR=/usr", "PYTHONPATH=/usr/lib")
	if got := c.Environ(false); !slices.Contains(got, "PYTHONPATH=/usr/lib") { // TMPDIR only for who may write to it
		t.Errorf("%q", got)
	}
}

func BenchmarkClean(b *testing.B) {
	variables := append(os.Environ(), "XDG_SESSION_TYPE=x", "LS_COLORS=y", "npm_config_cache=/home/me/.npm", "PATH=/home/me/.local/bin:/home/me/go/bin:/usr/local/bin:/usr/bin:/bin")
	b.ReportAllocs()
	for b.Loop() {
		Clean(variables, Where{
			Project: func() []string { return []string{"/home/me/src/project"} },
			Homes:   func() []string { return []string{"/home/me"} },
		})
	}
}
