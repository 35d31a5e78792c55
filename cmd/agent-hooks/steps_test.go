package main

import (
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"strconv"
	"strings"
	"time"
)

// mainHookSteps is the interpreter of hooks on systems without a POSIX shell: hook-steps FILE. It
// runs the lines of the file after the first: print TEXT, error TEXT, stdin FILE, pid FILE,
// child FILE (starts a process that sleeps, and writes its ID), args, sleep SECONDS, exit STATUS.
func mainHookSteps() {
	file := os.Args[len(os.Args)-1]
	if file == "sleep" {
		time.Sleep(5 * time.Minute)
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		os.Exit(90)
	}
	for line := range strings.Lines(string(text)) {
		step, arg, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		runStep(step, arg)
	}
}

func runStep(step, arg string) {
	switch step {
	case "print":
		fmt.Println(arg)
	case "error":
		fmt.Fprintln(os.Stderr, arg)
	case "args":
		fmt.Fprintln(os.Stderr, os.Args[1:])
	case "stdin":
		data, _ := io.ReadAll(os.Stdin)
		_ = os.WriteFile(arg, data, 0o644)
	case "pid":
		writePid(arg, os.Getpid())
	case "child":
		self, _ := os.Executable()
		child := osexec.Command(self, "sleep")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if child.Start() != nil {
			os.Exit(91)
		}
		writePid(arg, child.Process.Pid)
	case "sleep":
		seconds, _ := strconv.Atoi(arg)
		time.Sleep(time.Duration(seconds) * time.Second)
	case "exit":
		status, _ := strconv.Atoi(arg)
		os.Exit(status)
	}
}

func writePid(file string, pid int) {
	_ = os.WriteFile(file+".new", []byte(strconv.Itoa(pid)+"\n"), 0o644)
	_ = os.Rename(file+".new", file)
}
