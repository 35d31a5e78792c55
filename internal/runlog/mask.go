package runlog

import "strings"

// credentials are the beginnings of known kinds of tokens.
var credentials = [...]string{
	"AIza", "AKIA", "ASIA", "eyJ", "ghp_", "gho_", "ghr_", "ghs_", "ghu_", "github_pat_", "glpat-", "hf_", "npm_", "pypi-", "rk_live_", "sk-", "sk_live_", "xoxa-", "xoxb-", "xoxp-",
}

// masked replaces what has the shape of a credential by dots: the rest of a token with a known
// beginning and at least 16 characters, or at least 20 with digits and letters of both cases, and a
// value of at least 6 characters after the name of a secret and an equals sign, or between a colon
// and an at sign.
func masked(text string) string {
	var b strings.Builder
	for last, before := "", byte(0); text != ""; { // the token before this one, and what separates them
		end := 0
		for end < len(text) && isTokenByte(text[end]) {
			end++
		}
		token, after := text[:end], byte(0)
		if end < len(text) {
			after = text[end]
		}
		switch {
		case isCredential(token):
			b.WriteString(token[:4] + "…")
		case len(token) >= 6 && (before == '=' && isSecretName(last) || before == ':' && after == '@'):
			b.WriteString("…")
		default:
			b.WriteString(token)
		}
		if end < len(text) {
			b.WriteByte(after)
			end++
		}
		last, before, text = token, after, text[end:]
	}
	return b.String()
}

func isSecretName(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "passw") || strings.Contains(name, "secret") || strings.Contains(name, "token") || strings.HasSuffix(name, "key")
}

func isTokenByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '+'
}

func isCredential(token string) bool {
	if len(token) < 16 {
		return false
	}
	for _, begin := range credentials {
		if strings.HasPrefix(token, begin) {
			return true
		}
	}
	has := func(first, last rune) bool {
		return strings.ContainsFunc(token, func(r rune) bool { return first <= r && r <= last })
	}
	return len(token) >= 20 && has('a', 'z') && has('A', 'Z') && has('0', '9')
}
