package program

import "strings"

// IsQuiet reports whether a program text in the row's own language certainly writes no file and runs no
// command.
func (p *Program) IsQuiet(text string) bool {
	switch {
	case p.Is&Sed != 0:
		return sedDoes(text, false) != acts && sedDoes(text, true) != acts && sedDoes(text, true)+sedDoes(text, false) < 2*fails
	case p.Is&Awk != 0:
		return isQuietAwk(text)
	}
	return false
}

// What a program text does.
const (
	quiet = iota
	fails // it is no program, so that nothing runs
	acts
)

// sedDoes reads a text of sed. Whether a delimiter in a bracket expression ends the pattern differs
// between implementations.
func sedDoes(text string, brackets bool) int {
	s := sedReader{rest: text, brackets: brackets}
	for {
		s.rest = strings.TrimLeft(s.rest, " \t\n;{}")
		if s.rest == "" {
			return quiet
		}
		if does := s.command(); does != quiet {
			return does
		}
	}
}

// sedReader reads the commands of sed.
type sedReader struct {
	rest     string
	brackets bool
}

func (s *sedReader) command() (does int) {
	if !s.addresses() || s.rest == "" {
		return fails
	}
	c := s.rest[0]
	s.rest = s.rest[1:]
	switch {
	case strings.IndexByte("{}=dDgGhHnNpPxFz", c) >= 0:
	case strings.IndexByte("lLqQ", c) >= 0:
		s.rest = strings.TrimLeft(s.rest, " 0123456789")
	case strings.IndexByte(":btT", c) >= 0: // some end a label at ; and others at the end of the line
		s.rest = strings.TrimLeft(s.rest, " abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
	case strings.IndexByte("#rRaicv", c) >= 0: // to the end of the line
		end := 0
		for end < len(s.rest) && (s.rest[end] != '\n' || end > 0 && s.rest[end-1] == '\\') {
			end++
		}
		s.rest = s.rest[end:]
	case c == 's' || c == 'y':
		if s.rest == "" {
			return fails
		}
		delimiter := s.rest[0]
		s.rest = s.rest[1:]
		if !s.until(delimiter, s.brackets && c == 's') || !s.until(delimiter, false) {
			return fails
		}
		flags := len(s.rest) - len(strings.TrimLeft(s.rest, "gpiIMm0123456789"))
		s.rest = strings.TrimLeft(s.rest[flags:], " \t")
		if s.rest != "" && strings.IndexByte("ewW", s.rest[0]) >= 0 {
			return acts
		}
		if s.rest != "" && strings.IndexByte(";}\n#", s.rest[0]) < 0 {
			return fails
		}
	case strings.IndexByte("ewW", c) >= 0:
		return acts
	default:
		return fails
	}
	return quiet
}

// addresses reads the addresses before a command.
func (s *sedReader) addresses() bool {
	for {
		s.rest = strings.TrimLeft(s.rest, " \t,+~!$0123456789")
		switch {
		case strings.HasPrefix(s.rest, "/"):
			s.rest = s.rest[1:]
			if !s.until('/', s.brackets) {
				return false
			}
			s.rest = strings.TrimLeft(s.rest, "IM")
		case strings.HasPrefix(s.rest, `\`) && len(s.rest) > 1:
			delimiter := s.rest[1]
			s.rest = s.rest[2:]
			if !s.until(delimiter, s.brackets) {
				return false
			}
			s.rest = strings.TrimLeft(s.rest, "IM")
		default:
			return true
		}
	}
}

// until reads to a delimiter that no backslash precedes.
func (s *sedReader) until(delimiter byte, brackets bool) bool {
	inside := 0 // where a bracket expression began, plus 1
	for i := 0; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == '\\' && inside == 0:
			i++
		case brackets && inside == 0 && c == '[':
			inside = i + 1
			if i+1 < len(s.rest) && s.rest[i+1] == '^' {
				i++
			}
			if i+1 < len(s.rest) && s.rest[i+1] == ']' {
				i++
			}
		case inside > 0 && c == ']':
			inside = 0
		case inside == 0 && c == delimiter:
			s.rest = s.rest[i+1:]
			return true
		}
	}
	return false
}

// isQuietAwk reports whether a text of awk has nothing that could start a program, and no output to a
// file.
func isQuietAwk(text string) bool {
	if strings.Contains(text, "system") || strings.Contains(text, "getline") || strings.Contains(text, "@") || strings.Contains(strings.ReplaceAll(text, "||", ""), "|") {
		return false
	}
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "print")
		if !found {
			return true
		}
		end := strings.IndexAny(after, ";}\n")
		if end < 0 {
			end = len(after)
		}
		if strings.Contains(after[:end], ">") {
			return false
		}
		rest = after
	}
}
