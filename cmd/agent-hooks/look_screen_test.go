//go:build linux || darwin || freebsd

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// screen is a terminal on which a command runs.
type screen struct {
	root     string
	terminal *os.File
	seen     strings.Builder
	waited   int // bytes of seen
}

func startOnScreen(t *testing.T, cmd *osexec.Cmd, root string, columns int) *screen {
	t.Helper()
	// The command has a controlling terminal, so that ^C reaches it even if its
	// stdin is a file.
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	if err := pty.Setsize(terminal, &pty.Winsize{Rows: 50, Cols: uint16(columns)}); err != nil {
		t.Fatal(err)
	}
	if cmd.Stdin == nil {
		cmd.Stdin = tty
	}
	cmd.Stdout, cmd.Stderr = tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return &screen{root: root, terminal: terminal}
}

// waitFor reads until text appears, after the text of the previous call.
func (s *screen) waitFor(t *testing.T, text string) {
	t.Helper()
	buf := make([]byte, 4096)
	for {
		if at := strings.Index(s.seen.String()[s.waited:], text); at >= 0 {
			s.waited += at + len(text)
			return
		}
		n, err := s.terminal.Read(buf)
		s.seen.Write(buf[:n])
		if err != nil {
			t.Fatalf("%q was not printed: %v; the screen has\n%s", text, err, s.seen.String())
		}
	}
}

func (s *screen) readAll(t *testing.T) {
	t.Helper()
	rest, err := io.ReadAll(s.terminal)
	s.seen.Write(rest)
	if err != nil && !errors.Is(err, syscall.EIO) { // the end, on Linux
		t.Fatal(err)
	}
}

// save replaces a file as many editors do.
func (s *screen) save(t *testing.T, file, text string) {
	t.Helper()
	written := filepath.Join(s.root, "written")
	if err := os.WriteFile(written, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(written, file); err != nil {
		t.Fatal(err)
	}
}

const colors = `\x1b\[[0-9;]*m`

// settled returns the final text on the screen, without colors and with fixed
// paths and times.
func (s *screen) settled() string {
	text := regexp.MustCompile(colors).ReplaceAllString(s.seen.String(), "")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	// The terminal may echo ^C after the program has ended, and drops output
	// printed at that moment.
	text = regexp.MustCompile(`\n?(\^C)?\n?$`).ReplaceAllString(text, "\n")
	text = regexp.MustCompile(`(?m)^.*\r\x1b\[K`).ReplaceAllString(text, "")
	text = strings.ReplaceAll(text, s.root, lookRoot)
	for _, ago := range []time.Duration{0, time.Hour} { // it may have been printed before the full hour
		text = strings.ReplaceAll(text, time.Now().Add(-ago).UTC().Format("2006-01-02 15"), "2026-11-21 12")
	}
	text = regexp.MustCompile(`(2026-11-21 12):\d\d(:\d\d)?`).ReplaceAllStringFunc(text, func(at string) string {
		return "2026-11-21 12:34:56"[:len(at)]
	})
	text = withoutSlow(text)
	text = regexp.MustCompile(`(?m)^\d\d:\d\d:\d\d\b`).ReplaceAllString(text, "12:34:56")
	text = regexp.MustCompile(`\bin [\d.]+ m?s\b`).ReplaceAllString(text, "in 5 ms")
	row := regexp.MustCompile(`(?m)^(  (?:pass|FAIL)  .*?)( +(?:\d+ ms|\d+\.\d s))(  |$)`)
	return row.ReplaceAllStringFunc(text, func(match string) string {
		parts := row.FindStringSubmatch(match)
		return fmt.Sprintf("%s%*s%s", parts[1], len(parts[2]), "5 ms", parts[3])
	})
}
