//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	osexec "os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// patience is how long a test waits for an event without a notification.
const patience = time.Minute

// cageOrder says what a cage does. A cage is a process that runs a command and becomes the parent
// of every process that the command leaves, even in another session or as a zombie.
type cageOrder struct {
	Report   string           // the file for the cageReport
	Survive  int              // number of processes that may remain
	Ready    string           // once this file exists …
	Signals  []syscall.Signal // … these are sent, one after another …
	ToKeeper bool             // … to the supervisor of async hooks instead of the command
	Alone    bool             // the command is the first process of a namespace
}

// cageReport is the result of a cage.
type cageReport struct {
	Status   int      // the command's exit status, -1 if a signal ended it
	Signal   int      // the signal, otherwise 0
	Took     float64  // seconds
	Memory   int64    // the command's peak in KiB, at least the cage's own
	Left     []string // names of the remaining processes
	Unreaped []string // names of session leaders, such as hooks, that were not reaped
}

// mainFaultCage is a cage: fault-cage ORDER COMMAND [ARG ...].
func mainFaultCage() {
	var order cageOrder
	must(json.Unmarshal([]byte(os.Args[1]), &order))
	must(unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
	// The test's other descriptors are not inherited.
	must(unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC))
	began := time.Now()
	cmd := osexec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if order.Alone {
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	}
	must(cmd.Start())
	// The test sees the end of these streams when no other process has them open.
	os.Stdin.Close()
	os.Stdout.Close()
	os.Stderr.Close()
	if !order.ToKeeper {
		order.send(cmd.Process.Pid)
	}
	_ = cmd.Wait()
	report := cageReport{Status: cmd.ProcessState.ExitCode(), Took: time.Since(began).Seconds()}
	report.Memory = cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	if status := cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signaled() {
		report.Signal = int(status.Signal())
	}
	if order.ToKeeper {
		order.send(keeper())
	}
	report.settle(order.Survive)
	b, err := json.Marshal(report)
	must(err)
	must(os.WriteFile(order.Report, b, 0o600))
	empty()
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func (o *cageOrder) send(pid int) {
	if o.Ready == "" {
		return
	}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if _, err := os.Stat(o.Ready); err == nil {
			break
		}
	}
	for _, s := range o.Signals {
		_ = syscall.Kill(pid, s)
	}
}

// settle reaps processes until at most survive processes remain, none of them a supervisor.
func (r *cageReport) settle(survive int) {
	pause := time.Millisecond
	for deadline := time.Now().Add(patience); ; time.Sleep(pause) {
		pause = min(2*pause, 50*time.Millisecond) // reading the process table takes time
		keepers := 0
		r.Left = []string{}
		for _, p := range children() {
			switch {
			case p.state == "Z":
				r.reap(p)
				continue
			case p.isKeeper():
				keepers++
			}
			r.Left = append(r.Left, p.name)
		}
		if keepers == 0 && len(r.Left) <= survive || time.Now().After(deadline) {
			return
		}
	}
}

func (r *cageReport) reap(p process) {
	_, _ = syscall.Wait4(p.pid, nil, 0, nil)
	if p.pid == p.session && !p.isKeeper() {
		r.Unreaped = append(r.Unreaped, p.name)
	}
}

// empty ends all remaining processes.
func empty() {
	for {
		for _, p := range children() {
			_ = syscall.Kill(p.pid, syscall.SIGKILL)
		}
		if _, err := syscall.Wait4(-1, nil, 0, nil); err != nil && err != syscall.EINTR {
			return
		}
	}
}

// process is an entry of the process table.
type process struct {
	pid, parent, session int
	name, state          string
}

// isKeeper reports whether the process is the supervisor, which is started as /proc/self/exe.
func (p process) isKeeper() bool { return p.name == "exe" }

func children() []process {
	var mine []process
	for _, p := range processes() {
		if p.parent == os.Getpid() {
			mine = append(mine, p)
		}
	}
	return mine
}

func keeper() int {
	for _, p := range children() {
		if p.isKeeper() {
			return p.pid
		}
	}
	panic("there is no supervisor")
}

func processes() []process {
	entries, err := os.ReadDir("/proc")
	must(err)
	var all []process
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			if p, ok := readProcess(pid); ok {
				all = append(all, p)
			}
		}
	}
	return all
}

// readProcess reads /proc/PID/stat: pid (name) state parent group session ….
func readProcess(pid int) (p process, ok bool) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return p, false
	}
	begin, end := strings.IndexByte(string(b), '('), strings.LastIndexByte(string(b), ')')
	fields := strings.Fields(string(b[end+1:]))
	p = process{pid: pid, name: string(b[begin+1 : end]), state: fields[0]}
	p.parent, _ = strconv.Atoi(fields[1])
	p.session, _ = strconv.Atoi(fields[3])
	return p, true
}

// caged runs a command in a cage and returns the results of the cage and of the caller.
func (c *cell) caged(t *testing.T, order cageOrder, args ...string) caged {
	t.Helper()
	order.Report = c.dir + "/report"
	encoded, err := json.Marshal(order)
	must(err)
	cmd := osexec.CommandContext(t.Context(), "fault-cage", append([]string{string(encoded)}, args...)...)
	var stdout, stderr strings.Builder
	cmd.Dir, cmd.Env, cmd.Stdin = c.project, c.env, c.stdin
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if c.stdout != nil {
		cmd.Stdout = c.stdout
	}
	if c.stderr != nil {
		cmd.Stderr = c.stderr
	}
	if err := cmd.Run(); err != nil {
		t.Fatalf("cage: %v\n%s", err, stderr.String())
	}
	r := caged{stdout: stdout.String(), stderr: stderr.String()}
	b, err := os.ReadFile(order.Report)
	if err == nil {
		err = json.Unmarshal(b, &r.cageReport)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// caged is the result of a command in a cage.
type caged struct {
	cageReport
	stdout, stderr string
}
