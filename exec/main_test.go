package exec

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// helperVar, if set, makes the test binary run one of the helper programs.
const helperVar = "EXEC_TEST_HELPER"

func TestMain(m *testing.M) {
	if name := os.Getenv(helperVar); name != "" {
		helper(name)
		os.Exit(0)
	}
	_ = flag.Set("test.parallel", "8") // most tests wait for processes
	prepareSignals()
	os.Exit(m.Run())
}

// helper behaves as a hook. The file PIDFILE lists the processes that it
// started, or the helper itself.
func helper(name string) {
	name, arg, _ := strings.Cut(name, " ")
	switch name {
	case "exit":
		status, _ := strconv.Atoi(arg)
		os.Exit(status)
	case "sleep":
		sleep()
	case "deaf":
		signal.Ignore(os.Interrupt, syscall.SIGTERM)
		fmt.Print("deaf")
		sleep()
	case "spam":
		go spam(os.Stderr)
		spam(os.Stdout)
	case "write":
		n, _ := strconv.Atoi(arg)
		os.Stdout.Write(bytes.Repeat([]byte("o"), n))
		os.Stderr.Write(append(bytes.Repeat([]byte("e"), n), "end"...))
	case "cat":
		io.Copy(os.Stdout, os.Stdin)
	case "count":
		n, _ := io.Copy(io.Discard, os.Stdin)
		fmt.Print(n)
	case "close-stdin":
		os.Stdin.Close()
	case "close-and-sleep":
		os.Stdin.Close()
		os.Stdout.Close()
		os.Stderr.Close()
		sleep()
	case "print":
		fmt.Print(arg)
	case "leave": // print arg and leave a child in the group that holds the streams open
		spawn("sleep", false)
		fmt.Print(arg)
	case "leave-and-sleep":
		spawn("deaf", false)
		sleep()
	case "leave-talker": // the child prints the answer after this process ends
		spawn("late", false)
		awaitReady()
		fmt.Print(`{"half":`)
	case "late":
		awaitEnd(mustInt(os.Getenv("PARENT")), ready)
		fmt.Print(`1}`)
		sleep()
	case "leave-spammer":
		fmt.Print("first")
		spawn("late-spam", false)
		awaitReady()
	case "late-spam":
		ready()
		spam(os.Stdout)
	case "escape": // a child in its own session holds the streams open
		spawn("deaf", true)
		sleep()
	case "where":
		dir, _ := os.Getwd()
		fmt.Printf("%s\n%s-%s\n", dir, os.Getenv("A"), os.Getenv("HOME"))
	case "answer": // copies stdin while a child holds the streams
		spawn("sleep", false)
		io.Copy(os.Stdout, os.Stdin)
		fmt.Fprintln(os.Stderr, "reason")
		os.Exit(2)
	case "run": // runs a hook that sleeps
		Run(context.Background(), helperCommand("announce"))
	case "announce":
		announce(os.Getpid())
		sleep()
	default:
		if !systemHelper(name, arg) {
			panic("unknown helper " + name)
		}
	}
}

func sleep() {
	time.Sleep(time.Minute)
	os.Exit(9)
}

func spam(f *os.File) {
	line := bytes.Repeat([]byte("spam"), 4096)
	for {
		if _, err := f.Write(line); err != nil {
			os.Exit(0)
		}
	}
}

// ready reports that the child of a helper runs: a process may take longer to start than a run
// waits for a held pipe.
func ready() { os.WriteFile(os.Getenv("PIDFILE")+".ready", nil, 0o600) }

func awaitReady() {
	for {
		if _, err := os.Stat(os.Getenv("PIDFILE") + ".ready"); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func announce(pid int) {
	path := os.Getenv("PIDFILE")
	if path == "" {
		return
	}
	os.WriteFile(path+".new", []byte(strconv.Itoa(pid)), 0o600)
	os.Rename(path+".new", path)
}

func mustInt(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}

func helperEnv(name string) []string {
	// The race detector would wait a second at the end of each helper.
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, helperVar+"=") })
	return append(env, helperVar+"="+name, "GORACE=atexit_sleep_ms=0")
}

func helperCommand(name string) Command {
	return Command{
		Path: os.Args[0], Args: os.Args[:1], Env: helperEnv(name),
		MaxStdout: 1 << 20, MaxStderr: 1 << 20,
	}
}

// watchPid gives a helper a file for the PIDs of processes that it leaves,
// which are killed when the test ends.
func watchPid(t *testing.T, c *Command) (pid func() int) {
	t.Helper()
	path := t.TempDir() + "/pid"
	c.Env = append(c.Env, "PIDFILE="+path)
	pid = func() int {
		t.Helper()
		var n int
		eventually(t, "a pid in "+path, func() bool {
			data, err := os.ReadFile(path)
			if err != nil {
				return false
			}
			n = mustInt(string(data))
			return true
		})
		return n
	}
	t.Cleanup(func() {
		if data, err := os.ReadFile(path); err == nil {
			kill(mustInt(string(data)))
		}
	})
	return pid
}

// eventually polls, because the condition sends no notification.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never came: %s", what)
		}
	}
}
