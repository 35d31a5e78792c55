package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	osexec "os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/creack/pty"
)

// The size of the terminal.
const (
	columns = 102
	rows    = 50
)

// act is an action after a command has printed a text.
type act struct {
	after string // an expression, searched in the output since the last act
	do    func(s scratch) (typed string, err error)
}

const interrupt = "\x03" // Ctrl-C

// run types a command in the project, on a terminal, and returns its output up to each act and
// after the last one.
func (s scratch) run(c command, bin string) (stages []string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := osexec.CommandContext(ctx, "sh", "-c", c.typed+c.also)
	cmd.Dir = s.project()
	cmd.Env = []string{"HOME=" + s.home, "PATH=" + bin + ":/usr/bin:/bin", "TERM=xterm-256color", "LANG=C.UTF-8", "TZ=UTC"}
	screen, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: rows, Cols: columns})
	if err != nil {
		return nil, err
	}
	defer screen.Close()
	for _, a := range c.acts {
		printed, err := readUntil(screen, a.after)
		if err != nil {
			return nil, err
		}
		stages = append(stages, printed)
		typed, err := a.do(s)
		if err == nil {
			_, err = io.WriteString(screen, typed)
		}
		if err != nil {
			return nil, err
		}
	}
	// Reading fails after all programs have closed the terminal.
	rest, _ := io.ReadAll(screen)
	return append(stages, string(rest)), ended(ctx, cmd.Wait())
}

// readUntil reads the output of a program until the expression matches it, ignoring styles.
func readUntil(screen io.Reader, expression string) (string, error) {
	wanted, styles := regexp.MustCompile(expression), regexp.MustCompile("\x1b\\[[0-9;]*m|\r")
	var printed strings.Builder
	buffer := make([]byte, 4<<10)
	for !wanted.MatchString(styles.ReplaceAllString(printed.String(), "")) {
		n, err := screen.Read(buffer)
		if printed.Write(buffer[:n]); err != nil && n == 0 {
			return "", fmt.Errorf("it printed no %q, but\n%s", expression, &printed)
		}
	}
	return printed.String(), nil
}

// ended returns why a command cannot be shown. Its exit status is ignored, because its output
// is sufficient.
func ended(ctx context.Context, err error) error {
	if exit := (*osexec.ExitError)(nil); errors.As(err, &exit) && ctx.Err() == nil {
		return nil
	}
	return errors.Join(ctx.Err(), err)
}
