package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/term"
	"github.com/agent-hooks/agent-hooks/tools/svg"
)

// screen is a terminal of unlimited height.
type screen struct {
	columns int
	lines   []svg.Line
	at      int // the index of the next cell in the last line
	style   string
}

// readScreen returns the lines on a terminal after a program has printed text.
func readScreen(printed string, columns int) ([]svg.Line, error) {
	s := screen{columns: columns, lines: []svg.Line{nil}}
	for printed != "" {
		if sequence, ok := strings.CutPrefix(printed, "\x1b"); ok {
			rest, err := s.escape(sequence)
			if err != nil {
				return nil, err
			}
			printed = rest
			continue
		}
		r, size := utf8.DecodeRuneInString(printed)
		printed = printed[size:]
		s.print(r)
	}
	for len(s.lines) > 0 && isBlank(s.lines[len(s.lines)-1]) {
		s.lines = s.lines[:len(s.lines)-1]
	}
	return s.lines, nil
}

// escape interprets the escape sequence at the beginning of sequence, without its escape
// character, and returns the rest.
func (s *screen) escape(sequence string) (rest string, err error) {
	end := strings.IndexFunc(sequence, unicode.IsLetter)
	if end < 1 || sequence[0] != '[' {
		return "", fmt.Errorf("the screen does not know the escape sequence %.10q", sequence)
	}
	switch parameters := sequence[1:end]; sequence[end] {
	case 'm':
		s.style = strings.TrimPrefix(parameters, "0")
	case 'K':
		last := &s.lines[len(s.lines)-1]
		*last = (*last)[:min(s.at, len(*last))]
	default:
		return "", fmt.Errorf("the screen does not know the escape sequence %.10q", sequence[:end+1])
	}
	return sequence[end+1:], nil
}

func (s *screen) print(r rune) {
	last := &s.lines[len(s.lines)-1]
	switch {
	case r == '\r':
		s.at = 0
	case r == '\n':
		s.next()
	case term.RuneWidth(r) == 0:
		if s.at > 0 {
			(*last)[s.at-1].Text += string(r)
		}
	default:
		if (*last)[:s.at].Columns()+term.RuneWidth(r) > s.columns {
			s.next()
			last = &s.lines[len(s.lines)-1]
		}
		*last = append((*last)[:s.at], append(svg.Line{{Text: string(r), Style: s.style, Wide: term.RuneWidth(r) == 2}}, (*last)[min(len(*last), s.at+1):]...)...)
		s.at++
	}
}

func (s *screen) next() {
	s.lines = append(s.lines, nil)
	s.at = 0
}

func isBlank(l svg.Line) bool {
	for _, c := range l {
		if c.Text != " " {
			return false
		}
	}
	return true
}
