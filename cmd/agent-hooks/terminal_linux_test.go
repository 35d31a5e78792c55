package main

import (
	"bytes"
	"errors"
	"io"
	"log"
	"os"
	osexec "os/exec"
	"path/filepath"
	"syscall"

	"github.com/creack/pty"
)

// mainTerminal runs a command on a new terminal: terminal [-stdin] INPUT COMMAND [ARG ...]. The
// terminal's input is the file INPUT; with -stdin it is also the command's stdin. When the command
// has ended, the terminal's output is in $WORK/tty. The exit status is the command's. (The ttyin of
// testscript can lose the end of the output.)
func mainTerminal() {
	args := os.Args[1:]
	isStdin := args[0] == "-stdin"
	if isStdin {
		args = args[1:]
	}
	input, err := os.ReadFile(args[0])
	if err != nil {
		log.Fatal(err)
	}
	terminal, tty, err := pty.Open()
	if err != nil {
		log.Fatal(err)
	}
	cmd := osexec.Command(args[1], args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if isStdin {
		cmd.Stdin = tty
	}
	cmd.ExtraFiles = []*os.File{tty}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	const endOfInput = 4
	if _, err := terminal.Write(append(input, endOfInput)); err != nil {
		log.Fatal(err)
	}
	echo := bytes.ReplaceAll(input, []byte("\n"), []byte("\r\n"))
	if _, err := io.ReadFull(terminal, echo); err != nil { // the kernel echoes later, in the middle of the output
		log.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		log.Fatal(err)
	}
	tty.Close()
	output, err := io.ReadAll(terminal)
	if err != nil && !errors.Is(err, syscall.EIO) { // EIO: nobody has the terminal open
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(os.Getenv("WORK"), "tty"), append(echo, output...), 0o600); err != nil {
		log.Fatal(err)
	}
	var exit *osexec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		log.Fatal(err)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}
