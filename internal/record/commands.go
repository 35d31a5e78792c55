package record

import (
	"strings"
)

// findCommands finds passwords in arguments whose names do not identify them as secrets: curl
// -u user:password, sshpass -p password, mysql -ppassword.
func findCommands(text string) (spans []span) {
	curl, sshpass, mysql := strings.Contains(text, "curl"), strings.Contains(text, "sshpass"), strings.Contains(text, "mysql") || strings.Contains(text, "mariadb")
	if !curl && !sshpass && !mysql && !strings.Contains(text, "login") {
		return nil
	}
	for _, f := range [...]struct {
		flag        string
		used, glued bool // glued: the value follows the flag without a separator
		user        bool // the value is user:password
	}{
		{"-u", curl, true, true}, {"--user", curl, false, true}, {"--proxy-user", curl, false, true}, {"-U", curl, true, true},
		{"-p", sshpass || mysql, true, false}, {"-p", strings.Contains(text, "login"), false, false},
	} {
		if f.used {
			spans = append(spans, flagValues(text, 0, len(text), f.flag, f.glued, f.user)...)
		}
	}
	return spans
}

// findFlag finds a flag; a flag of one letter also in a group: -u in -su.
func findFlag(text, flag string) (at, length int) {
	if len(flag) != 2 {
		return strings.Index(text, flag), len(flag)
	}
	for at := 0; at < len(text); at++ {
		if text[at] != '-' {
			continue
		}
		for end := at + 1; end < len(text) && isLetter(text[end]); end++ {
			if text[end] == flag[1] {
				return at, end + 1 - at
			}
		}
	}
	return -1, 0
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// flagValues finds the values of a flag in text[from:to].
func flagValues(text string, from, to int, flag string, glued, user bool) (spans []span) {
	for at := from; at < to; {
		i, n := findFlag(text[at:to], flag)
		if i < 0 {
			return spans
		}
		from := at + i
		at = from + n
		if from > 0 && strings.IndexByte(" \t\n'\"`(", text[from-1]) < 0 {
			continue
		}
		begin := skipBlanks(text, at)
		if strings.HasPrefix(text[at:], "=") {
			begin = at + 1
		} else if begin == at && !glued {
			continue
		}
		end := begin
		if begin < len(text) && text[begin] != '-' {
			end = wordEnd(text, begin, openQuote(text, from))
		}
		inner := unquoted(text[begin:end])
		s := span{begin + inner.from, begin + inner.to, "password"}
		if user {
			colon := strings.IndexByte(text[s.from:s.to], ':')
			if colon < 0 {
				continue
			}
			s.from += colon + 1
		}
		if s.from < s.to && !isReference(text[s.from:s.to]) {
			spans = append(spans, s)
		}
	}
	return spans
}
