package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// step is a command of sed: s, p, d or q, for all lines or those that its address names.
type step struct {
	first, last int // lines; 0: any
	line        *regexp.Regexp
	letter      byte
	re          *regexp.Regexp // of s
	with        string
	all, print  bool
}

func sed(c *call) (int, error) {
	text := c.options['e']
	if !c.has('e') {
		if len(c.args) == 0 {
			return misuse, errors.New("no script")
		}
		text, c.args = c.args[0], c.args[1:]
	}
	var steps []step
	for {
		text = strings.TrimLeft(text, "; \n")
		if text == "" {
			break
		}
		s, rest, err := c.parseStep(text)
		if err != nil {
			return misuse, err
		}
		steps, text = append(steps, s), rest
	}
	number := 0
	return 0, c.eachLine(c.args, func(line string) bool {
		number++
		line, keep, more := c.edit(steps, number, line)
		if keep && !c.has('n') {
			fmt.Fprintln(c.stdout, line)
		}
		return more
	})
}

// edit applies the steps to a line. keep is false after d, more after q.
func (c *call) edit(steps []step, number int, line string) (edited string, keep, more bool) {
	for _, s := range steps {
		if s.first > 0 && (number < s.first || number > s.last) || s.line != nil && !s.line.MatchString(line) {
			continue
		}
		switch s.letter {
		case 'd':
			return line, false, true
		case 'q':
			return line, true, false
		case 'p':
			fmt.Fprintln(c.stdout, line)
		case 's':
			if !s.re.MatchString(line) {
				continue
			}
			if line = s.replace(line); s.print {
				fmt.Fprintln(c.stdout, line)
			}
		}
	}
	return line, true, true
}

func (s step) replace(line string) string {
	if s.all {
		return s.re.ReplaceAllString(line, s.with)
	}
	at := s.re.FindStringSubmatchIndex(line)
	return line[:at[0]] + string(s.re.ExpandString(nil, s.with, line, at)) + line[at[1]:]
}

// parseStep returns the first step of a script, and the text after it.
func (c *call) parseStep(text string) (s step, rest string, err error) {
	unknown := fmt.Errorf("tools/sh does not have the command %q", text)
	if strings.HasPrefix(text, "/") {
		parts := delimited(text[1:], '/', 1)
		if parts == nil {
			return s, "", unknown
		}
		if s.line, err = c.pattern(parts[0]); err != nil {
			return s, "", err
		}
		text = parts[1]
	} else if digits := regexp.MustCompile(`^(\d+)(?:,(\d+))?`).FindStringSubmatch(text); digits != nil {
		s.first, _ = strconv.Atoi(digits[1])
		s.last = s.first
		if digits[2] != "" {
			s.last, _ = strconv.Atoi(digits[2])
		}
		text = text[len(digits[0]):]
	}
	if text == "" {
		return s, "", unknown
	}
	s.letter, text = text[0], text[1:]
	if s.letter == 's' && text != "" {
		parts := delimited(text[1:], text[0], 2)
		if parts == nil {
			return s, "", unknown
		}
		if s.re, err = c.pattern(parts[0]); err != nil {
			return s, "", err
		}
		s.with, text = replacement(parts[1]), parts[2]
		for text != "" && strings.ContainsRune("gp", rune(text[0])) {
			s.all, s.print = s.all || text[0] == 'g', s.print || text[0] == 'p'
			text = text[1:]
		}
	} else if !strings.ContainsRune("pdq", rune(s.letter)) {
		return s, "", unknown
	}
	if text = strings.TrimLeft(text, " "); text != "" && text[0] != ';' && text[0] != '\n' {
		return s, "", unknown
	}
	return s, text, nil
}

// delimited returns n parts that end with the delimiter, and the rest; nil if there are fewer.
func delimited(text string, delimiter byte, n int) (parts []string) {
	var part strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			if i++; text[i] != delimiter {
				part.WriteByte('\\')
			}
			part.WriteByte(text[i])
		case text[i] == delimiter:
			parts = append(parts, part.String())
			if part.Reset(); len(parts) == n {
				return append(parts, text[i+1:])
			}
		default:
			part.WriteByte(text[i])
		}
	}
	return nil
}

// replacement translates the replacement of s, in which & is the match and \1 its first group.
func replacement(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '&':
			b.WriteString("${0}")
		case text[i] == '\\' && i+1 < len(text):
			if i++; text[i] >= '0' && text[i] <= '9' {
				b.WriteString("${" + text[i:i+1] + "}")
			} else {
				b.WriteByte(text[i])
			}
		case text[i] == '$':
			b.WriteString("$$")
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
