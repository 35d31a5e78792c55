package record

import "strings"

// passwordFlags returns the letters of the flags that take a password in the programs of a text:
// curl -u user:password, sshpass -p password, mysql -ppassword.
func passwordFlags(text string) string {
	var letters string
	for _, f := range [...]struct{ program, letters string }{
		{"curl", "uU"}, {"sshpass", "p"}, {"mysql", "p"}, {"mariadb", "p"}, {"login", "p"},
	} {
		if strings.Contains(text, f.program) {
			letters += f.letters
		}
	}
	return letters
}

// flag finds the value of a flag that takes a password: -p x, -px, -su user:x, --user user:x.
func (s *scanner) flag(from, to int) span {
	word := s.text[from:to]
	if word[0] != '-' || from > 0 && strings.IndexByte(" \t\n'\"`(", s.text[from-1]) < 0 {
		return span{}
	}
	end := strings.IndexAny(word, s.flags) + 1
	if word == "--user" || word == "--proxy-user" {
		end = len(word)
	} else if end < 2 || word[1] == '-' {
		return span{}
	}
	at := skipBlanks(s.text, from+end)
	at += len(s.text[at:]) - len(strings.TrimPrefix(s.text[at:], "="))
	if strings.HasPrefix(s.text[at:], "-") {
		return span{} // another flag
	}
	inner := unquoted(s.text[at:s.wordEnd(at)])
	found := span{at + inner.from, at + inner.to, "password"}
	if word[end-1] != 'p' { // user:password
		colon := strings.IndexByte(s.text[found.from:found.to], ':')
		if colon < 0 {
			return span{}
		}
		found.from += colon + 1
	}
	if isHarmless(s.text[found.from:found.to]) {
		return span{}
	}
	return found
}

// scheme finds the credentials after Bearer and Basic in headers.
func (s *scanner) scheme(from, to int) span {
	word := s.text[max(from, to-len("bearer")):to]
	if !strings.EqualFold(word, "bearer") && !strings.EqualFold(word[max(0, len(word)-len("basic")):], "basic") {
		return span{}
	}
	begin := to + prefix(s.text[to:], " \t\\+")
	end := begin
	for end < len(s.text) && (isNameByte(s.text[end]) || strings.IndexByte("~+/=", s.text[end]) >= 0) {
		end++
	}
	long := end-begin >= 20 || end-begin >= 8 && strings.ContainsAny(s.text[begin:end], "0123456789")
	if begin == to || !long {
		return span{}
	}
	return span{begin, end, "authorization"}
}

// url finds the password in a URL, scheme://user:password@host, and a long user name, which is a
// token. The URL continues at index at.
func (s *scanner) url(at int) {
	const longest, token = 2 << 10, 20
	authority := s.text[at:min(len(s.text), at+longest)]
	authority = authority[:indexOr(authority, " \t\r\n\"'`<>|\\")]
	path := indexOr(authority, "/?#")
	host := strings.LastIndexByte(authority[:path], '@')
	colon := strings.IndexByte(authority, ':')
	if host < 0 && colon >= 0 && colon < path && !isDigits(authority[colon+1:path]) {
		host = strings.LastIndexByte(authority, '@') // after a password with a slash
	}
	switch {
	case host < 0 || strings.Contains(authority, markStart):
	case colon >= 0 && colon < host:
		s.spans = append(s.spans, span{at + colon + 1, at + host, "url-password"})
	case host >= token:
		s.spans = append(s.spans, span{at, at + host, "url-password"})
	}
}

func isDigits(text string) bool { return strings.Trim(text, "0123456789_,.") == "" }
