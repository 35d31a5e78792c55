package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/creack/pty"
	"github.com/hinshun/vt10x"

	"github.com/agent-hooks/agent-hooks/tools/svg"
)

// terminal is a terminal for a command, and the text that is typed on it. After the last act, the
// screen is saved and the command is ended.
type terminal struct {
	Columns, Rows int
	Acts          []act
}

// act is typed when the screen shows a text and has not changed for stillTime.
type act struct {
	After string // a regular expression
	Type  string
}

const stillTime = time.Second

// startOnTerminal runs a command on a terminal, and saves the screen in the log folder.
func (j job) startOnTerminal(ctx context.Context, c command) error {
	ctx, end := context.WithCancel(ctx)
	cmd := j.process(ctx, c)
	size := &pty.Winsize{Rows: uint16(c.Terminal.Rows), Cols: uint16(c.Terminal.Columns)}
	device, err := pty.StartWithSize(cmd, size)
	if err != nil {
		end()
		return err
	}
	defer device.Close()
	defer cmd.Wait()
	defer end()
	screen := vt10x.New(vt10x.WithSize(c.Terminal.Columns, c.Terminal.Rows), vt10x.WithWriter(device))
	go func() {
		for output := bufio.NewReader(device); screen.Parse(output) == nil; {
		}
	}()
	for _, a := range c.Terminal.Acts {
		if err := waitFor(ctx, screen, a.After); err != nil {
			return err
		}
		if _, err := io.WriteString(device, a.Type); err != nil {
			return err
		}
	}
	lines, err := cellsOf(screen)
	if err != nil {
		return err
	}
	return writeJSON(j.screenFile(c.Name), lines)
}

func (j job) screenFile(command string) string { return filepath.Join(j.log(), command+".screen") }

func waitFor(ctx context.Context, screen vt10x.Terminal, expression string) error {
	wanted := regexp.MustCompile(expression)
	last, since := "", time.Now()
	for ctx.Err() == nil {
		if now := screen.String(); now != last {
			last, since = now, time.Now()
		} else if time.Since(since) > stillTime && wanted.MatchString(now) {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return fmt.Errorf("the screen shows no %q, but\n%s", expression, last)
}

// cellsOf returns the lines of a screen. Their styles are "RRGGBB", with ";1" if bold.
func cellsOf(screen vt10x.Terminal) ([]svg.Line, error) {
	screen.Lock()
	defer screen.Unlock()
	columns, rows := screen.Size()
	lines := make([]svg.Line, rows)
	for y := range rows {
		for x := range columns {
			c, err := toCell(screen.Cell(x, y))
			if err != nil {
				return nil, err
			}
			lines[y] = append(lines[y], c)
		}
	}
	return lines, nil
}

const bold = 1 << 2 // of vt10x.Glyph.Mode

func toCell(g vt10x.Glyph) (svg.Cell, error) {
	c := svg.Cell{Text: common(g.Char)}
	foreground, err := color(g.FG)
	if err != nil {
		return c, err
	}
	if g.FG != vt10x.DefaultFG || g.Mode&bold != 0 {
		c.Style = foreground[1:]
	}
	if g.Mode&bold != 0 {
		c.Style += ";1"
	}
	if g.BG != vt10x.DefaultBG {
		c.Background, err = color(g.BG)
	}
	return c, err
}

// common replaces symbols that most fonts lack.
func common(r rune) string { return strings.NewReplacer("⎿", "└", "⏸", "‖").Replace(string(r)) }

// color returns a color in CSS. vt10x has one number for a color of the palette and for a dark
// blue: only black is known.
func color(c vt10x.Color) (string, error) {
	switch {
	case c == vt10x.DefaultFG:
		return svg.Foreground, nil
	case c == vt10x.DefaultBG:
		return svg.Background, nil
	case 0 < c && c < 256 || c > 1<<24:
		return "", fmt.Errorf("color %d of the terminal's palette is not known", c)
	}
	return fmt.Sprintf("#%06x", uint32(c)), nil
}
