package runlog

import "strings"

// credentials are the beginnings of known kinds of tokens.
var credentials = [...]string{
	"AIza", "AKIA", "ASIA", "eyJ", "ghp_", "gho_", "ghr_", "ghs_", "ghu_", "github_pat_", "glpat-", "hf_", "npm_", "pypi-", "rk_live_", "sk-", "sk_live_", "xoxa-", "xoxb-", "xoxp-",
}

// masked replaces the rest of each token in a text by dots that has the shape of a credential: a known
// beginning and at least 16 characters, or at least 20 with digits and letters of both cases.
func masked(text string) string {
	var b strings.Builder
	for text != "" {
		end := 0
		for end < len(text) && isTokenByte(text[end]) {
			end++
		}
		if token := text[:end]; isCredential(token) {
			b.WriteString(token[:4] + "…")
		} else {
			b.WriteString(token)
		}
		if end < len(text) {
			b.WriteByte(text[end])
			end++
		}
		text = text[end:]
	}
	return b.String()
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
