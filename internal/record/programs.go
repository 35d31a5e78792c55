package record

import (
	"cmp"
	"strings"
)

// findPrograms finds the passwords in the arguments of programs for which
// nothing but the program itself says so: redis-cli -a password.
func findPrograms(text string) (spans []span) {
	for _, c := range callsOf(text, "vault") {
		spans = append(spans, vaultLogin(text, c)...)
	}
	if !strings.Contains(text, " -") && !strings.Contains(text, "\t-") && !strings.Contains(text, "\n-") {
		return spans // without a flag
	}
	for _, p := range [...]struct {
		program, flag string
		glued, user   bool // as flagValues takes them
	}{
		{"redis-cli", "-a", false, false}, {"openssl", "-k", false, false}, {"ssh-keygen", "-N", false, false},
		{"ldapsearch", "-w", false, false}, {"ldapmodify", "-w", false, false}, {"ldapadd", "-w", false, false},
		{"ldapdelete", "-w", false, false}, {"ldapwhoami", "-w", false, false}, {"ldappasswd", "-w", false, false},
		{"zip", "-P", false, false}, {"unzip", "-P", false, false}, {"7z", "-p", true, false}, {"7za", "-p", true, false}, {"7zz", "-p", true, false},
		{"mongosh", "-p", false, false}, {"mongo", "-p", false, false}, {"mongodump", "-p", false, false},
		{"http", "-a", false, true}, {"https", "-a", false, true}, {"http", "--auth", false, true}, {"https", "--auth", false, true},
	} {
		for _, c := range callsOf(text, p.program) {
			spans = append(spans, flagValues(text, c.from, c.to, p.flag, p.glued, p.user)...)
		}
	}
	for _, c := range callsOf(text, "htpasswd") {
		spans = append(spans, htpasswd(text, c)...)
	}
	for _, c := range callsOf(text, "kubectl") {
		spans = append(spans, literals(text, c)...)
	}
	for _, c := range callsOf(text, "sudo") {
		spans = append(spans, sudoInput(text, c)...)
	}
	return spans
}

// maxCall bounds the arguments that are looked at, so that time grows no
// faster than the text.
const maxCall = 1 << 10

// callsOf returns the arguments of each call of a program, to the end of the
// shell's command.
func callsOf(text, program string) (calls []span) {
	for at := 0; ; {
		i := strings.Index(text[at:], program)
		if i < 0 {
			return calls
		}
		from := at + i
		at = from + len(program)
		begins := from == 0 || strings.IndexByte(" \t\n\"'`(;|&/=", text[from-1]) >= 0
		if begins && at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			calls = append(calls, span{from: at, to: callEnd(text, at)})
			at = calls[len(calls)-1].to
		}
	}
}

func callEnd(text string, at int) int {
	most := min(len(text), at+maxCall)
	for at < most {
		switch c := text[at]; {
		case c == '\\':
			at++ // and what it escapes, as a line end
		case strings.IndexByte("\n;|&", c) >= 0:
			return at
		case c == '"' || c == '\'':
			if end := strings.IndexByte(text[at+1:most], c); end >= 0 {
				at += end + 1
			}
		}
		at++
	}
	return most
}

// wordsOf returns the words of a call, with their quotes, as far as a
// redirection.
func wordsOf(text string, call span) (words []span) {
	open := openQuote(text, call.from)
	for at := skipBlanks(text, call.from); at < call.to; at = skipBlanks(text, at) {
		end := min(wordEnd(text, at, open), call.to)
		if end <= at {
			return words
		}
		words = append(words, span{from: at, to: end, kind: "password"})
		at = end
	}
	return words
}

// hidden returns the span of a word that is a secret; none of a variable.
func hidden(text string, word span) []span {
	value := text[word.from:word.to]
	if inner := unquoted(value); !isReference(value) && inner.from < inner.to {
		return []span{{word.from + inner.from, word.from + inner.to, "password"}}
	}
	return nil
}

// vaultLogin: vault login TOKEN.
func vaultLogin(text string, call span) []span {
	words := wordsOf(text, call)
	if len(words) < 2 || text[words[0].from:words[0].to] != "login" {
		return nil
	}
	for _, w := range words[1:] {
		if value := text[w.from:w.to]; value[0] != '-' && !strings.Contains(value, "=") {
			w.kind = "token"
			return hidden(text, w)
		}
	}
	return nil
}

// htpasswd: htpasswd -b FILE USER PASSWORD, htpasswd -nb USER PASSWORD.
func htpasswd(text string, call span) []span {
	var given []span
	batch := false
	for _, w := range wordsOf(text, call) {
		if value := text[w.from:w.to]; value[0] == '-' {
			batch = batch || strings.Contains(value, "b")
			continue
		}
		given = append(given, w)
	}
	if !batch || len(given) < 2 {
		return nil
	}
	return hidden(text, given[len(given)-1])
}

// literals: kubectl create secret … --from-literal=KEY=VALUE.
func literals(text string, call span) (spans []span) {
	const flag = "--from-literal"
	if !strings.Contains(text[call.from:call.to], " secret ") {
		return nil
	}
	for at := call.from; ; {
		i := strings.Index(text[at:call.to], flag)
		if i < 0 {
			return spans
		}
		at += i + len(flag)
		if at == call.to || strings.IndexByte("= ", text[at]) < 0 {
			continue
		}
		word := at + 1
		end := min(wordEnd(text, word, openQuote(text, word)), call.to)
		inner := unquoted(text[word:end])
		key, value, ok := strings.Cut(text[word+inner.from:word+inner.to], "=")
		if ok && value != "" && !isReference(value) {
			from := word + inner.from + len(key) + 1
			spans = append(spans, span{from, word + inner.to, cmp.Or(secretKind(key), "secret")})
		}
		at = max(at, end)
	}
}

// sudoInput: echo PASSWORD | sudo -S, sudo -S <<< PASSWORD.
func sudoInput(text string, call span) []span {
	reads := false
	for _, w := range wordsOf(text, call) {
		value := text[w.from:w.to]
		if value[0] != '-' {
			break
		}
		reads = reads || value == "--stdin" || !strings.HasPrefix(value, "--") && strings.Contains(value, "S")
	}
	if !reads {
		return nil
	}
	var spans []span
	if i := strings.Index(text[call.from:call.to], "<<<"); i >= 0 {
		at := skipBlanks(text, call.from+i+len("<<<"))
		spans = hidden(text, span{from: at, to: wordEnd(text, at, openQuote(text, call.from))})
	}
	return append(spans, piped(text, call.from-len("sudo"))...)
}

// piped returns what echo or printf writes into the pipe that ends at at.
func piped(text string, at int) []span {
	before := text[max(0, at-maxCall):at]
	first := at - len(before)
	end := strings.TrimRight(before, " \t")
	if !strings.HasSuffix(end, "|") {
		return nil
	}
	end = strings.TrimRight(end[:len(end)-1], " \t")
	begin := max(strings.LastIndex(end, "echo "), strings.LastIndex(end, "printf "))
	if begin < 0 || begin > 0 && isNameByte(end[begin-1]) {
		return nil
	}
	begin += strings.IndexByte(end[begin:], ' ')
	for begin = skipBlanks(end, begin); strings.HasPrefix(end[begin:], "-"); begin = skipBlanks(end, begin) {
		begin += indexOr(end[begin:], " ")
	}
	return hidden(text, span{from: first + begin, to: first + len(end)})
}

// findNetrc finds the passwords of a .netrc: machine HOST login USER password
// PASSWORD.
func findNetrc(text string) (spans []span) {
	const machine = "machine"
	for at := 0; ; {
		i := strings.Index(text[at:], machine)
		if i < 0 {
			return spans
		}
		at += i + len(machine)
		host := netrcWord(text, at)
		for key := netrcWord(text, host.to); ; key = netrcWord(text, key.to) {
			name := text[key.from:key.to]
			if name != "login" && name != "account" && name != "password" || len(spans) > 0 && key.from < spans[len(spans)-1].to {
				break
			}
			key = netrcWord(text, key.to)
			if name == "password" && key.from < key.to {
				spans = append(spans, span{key.from, key.to, "password"})
			}
		}
	}
}

// netrcWord returns the next word from at on: also one behind the \n that echo
// makes a line end of, and one at the end of a quoted text.
func netrcWord(text string, at int) span {
	most := min(len(text), at+maxCall)
	for at < most && (strings.IndexByte(" \t\r\n", text[at]) >= 0 || strings.HasPrefix(text[at:], `\n`)) {
		if text[at] == '\\' {
			at++
		}
		at++
	}
	from := at
	for at < most && strings.IndexByte(" \t\r\n\"'`", text[at]) < 0 && !strings.HasPrefix(text[at:], `\n`) {
		at++
	}
	return span{from: min(from, at), to: at}
}
