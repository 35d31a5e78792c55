package main

import (
	"encoding/binary"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"

	"github.com/agent-hooks/agent-hooks/internal/place"
	"github.com/agent-hooks/agent-hooks/internal/testenv"
)

// ordinaryUser is the account of as-user, which no file of the system belongs to.
const ordinaryUser = 54321

// mainAsUser runs a command as an ordinary user: as-user COMMAND [ARG ...].
func mainAsUser() {
	path, err := osexec.LookPath(os.Args[1])
	must(err)
	must(syscall.Setgroups(nil))
	must(syscall.Setgid(ordinaryUser))
	must(syscall.Setuid(ordinaryUser))
	must(syscall.Exec(path, os.Args[1:], os.Environ()))
}

// TestManaged runs the scripts about managed hooks, each as root in a mount namespace with an /etc
// of its own. The ordinary user in them is as-user.
func TestManaged(t *testing.T) {
	testenv.Long(t)
	t.Parallel()
	needMounts(t)
	files, err := filepath.Glob(filepath.Join("testdata", "managed", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			if _, err := os.Stat("/dev/fuse"); err != nil && filepath.Base(file) == "hang.txtar" {
				t.Skip(err)
			}
			runInOwnEtc(t, "TestManagedInside", "MANAGED_SCRIPT="+file)
		})
	}
}

// needMounts skips a test that cannot have an /etc of its own.
func needMounts(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("managed hooks belong to root, and this is another user")
	}
	if out, err := osexec.Command("unshare", "--mount", "mount", "--bind", "/etc", "/etc").CombinedOutput(); err != nil {
		t.Skipf("no mount namespaces: %v: %s", err, out)
	}
}

// runInOwnEtc runs another test of this program with an /etc, /opt, /run and /usr/local/bin of its own.
func runInOwnEtc(t *testing.T, test, variable string) {
	t.Helper()
	const inside = `cp -a /etc "$1/etc" && chmod 755 "$1/etc" && mount --bind "$1/etc" /etc && rm -rf /etc/agents &&
mount -t tmpfs -o mode=755 tmpfs /opt && mount -t tmpfs -o mode=755 tmpfs /run && mount -t tmpfs -o mode=755 tmpfs /usr/local/bin && shift && exec "$@"`
	cmd := osexec.Command("unshare", "--mount", "sh", "-c", inside, "sh", t.TempDir(), os.Args[0], "-test.run=^"+test+"$", "-test.v")
	cmd.Env = append(os.Environ(), variable)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestAdminPage runs the commands of docs/admin.md as root, with the program in /usr/local/bin.
func TestAdminPage(t *testing.T) {
	t.Parallel()
	needMounts(t)
	runInOwnEtc(t, "TestAdminPageInside", ownEtc+"=1")
}

// TestAdminPageInside runs them in the namespace.
func TestAdminPageInside(t *testing.T) {
	if os.Getenv(ownEtc) == "" {
		t.Skip("TestAdminPage runs it")
	}
	const bin = "/usr/local/bin"
	data, err := os.ReadFile(os.Args[0])
	if err == nil {
		err = os.WriteFile(filepath.Join(bin, "agent-hooks"), data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	root, _ := documentsOf(t)
	runDocument(t, root, filepath.Join("docs", "admin.md"), startShell(t, bin))
}

// TestManagedInside runs one script in the namespace.
func TestManagedInside(t *testing.T) {
	file := os.Getenv("MANAGED_SCRIPT")
	if file == "" {
		t.Skip("TestManaged runs it")
	}
	root := t.TempDir()
	testscript.Run(t, testscript.Params{
		Files: []string{file}, WorkdirRoot: root, RequireExplicitExec: true, Condition: condition,
		Setup: func(env *testscript.Env) error {
			must(os.Unsetenv("MANAGED_SCRIPT"))
			for _, dir := range append(filepath.SplitList(env.Getenv("PATH")), env.WorkDir, filepath.Dir(os.Args[0])) {
				for ; strings.HasPrefix(dir, "/tmp/"); dir = filepath.Dir(dir) { // which only root may enter
					must(os.Chmod(dir, 0o755))
				}
			}
			env.Setenv("PROGRAM", os.Args[0])
			return setupScript(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "hook": writeHook, "within": within, "managed": writeManaged, "own": own, "lines": countLines, "hang": hang, "syslog": syslog,
		},
	})
}

// writeManaged writes a managed hook: managed NAME SCRIPT [KEY: VALUE ...].
func writeManaged(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: managed NAME SCRIPT [KEY: VALUE ...]")
	}
	front := "trigger: pre-tool-call\n"
	if strings.Contains(strings.Join(args[2:], "\n"), "trigger:") {
		front = ""
	}
	front = "---\nname: " + args[0] + "\ndescription: A managed hook.\n" + front
	for _, line := range args[2:] {
		front += strings.ReplaceAll(line, `\n`, "\n") + "\n"
	}
	dir := filepath.Join(place.ManagedHooks(), args[0])
	ts.Check(os.RemoveAll(dir))
	ts.Check(os.MkdirAll(filepath.Join(dir, "scripts"), 0o755))
	ts.Check(os.WriteFile(filepath.Join(dir, "HOOK.md"), []byte(front+"---\n"), 0o644))
	ts.Check(os.WriteFile(filepath.Join(dir, "scripts", "run"), []byte("#!/bin/sh\n"+strings.ReplaceAll(args[1], `\n`, "\n")+"\n"), 0o755))
}

var systemLog int // a socket of the one script of the process

// syslog listens where the system's log does, then writes to FILE what was sent: syslog [FILE].
func syslog(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) == 0 {
		log, err := unix.Socket(unix.AF_UNIX, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0) // package net would link C code, with which deadlocks hang
		ts.Check(err)
		ts.Check(unix.Bind(log, &unix.SockaddrUnix{Name: "/var/run/log"}))
		ts.Check(os.Chmod("/var/run/log", 0o666))
		systemLog = log
		return
	}
	defer unix.Close(systemLog)
	var text []byte
	line := make([]byte, 8<<10)
	for { // all was sent before
		n, _, err := unix.Recvfrom(systemLog, line, unix.MSG_DONTWAIT)
		if err != nil {
			break
		}
		text = append(append(text, line[:n]...), '\n')
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o644))
}

// own makes the ordinary user the owner of everything in the script's directory.
func own(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Check(filepath.Walk(ts.Getenv("WORK"), func(path string, _ os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, ordinaryUser, ordinaryUser)
	}))
}

// hang mounts a file system that never responds: hang DIR.
func hang(ts *testscript.TestScript, _ bool, args []string) {
	fd, err := unix.Open("/dev/fuse", unix.O_RDWR|unix.O_CLOEXEC, 0)
	ts.Check(err)
	dir := ts.MkAbs(args[0])
	ts.Check(os.Mkdir(dir, 0o755))
	ts.Check(unix.Mount("hang", dir, "fuse.hang", 0, fmt.Sprintf("fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other", fd)))
	ts.Defer(func() {
		_ = unix.Close(fd) // ends all that wait
		_ = unix.Unmount(dir, unix.MNT_DETACH)
	})
	request := make([]byte, 64<<10) // FUSE_INIT
	_, err = unix.Read(fd, request)
	ts.Check(err)
	const length = 16 + 64
	answer := binary.NativeEndian.AppendUint32(nil, length)
	answer = binary.NativeEndian.AppendUint32(answer, 0)
	answer = append(answer, request[8:16]...)                 // the request's number
	for _, field := range []uint32{7, 31, 0, 0, 0, 4096, 1} { // the version of the protocol, and limits
		answer = binary.NativeEndian.AppendUint32(answer, field)
	}
	_, err = unix.Write(fd, append(answer, make([]byte, length-len(answer))...))
	ts.Check(err)
}
