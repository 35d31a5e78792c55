package record

import "strings"

// secretKind returns the kind of secret that a name stands for, such as password or token, or
// "". Case and separators are ignored.
func secretKind(name string) string {
	if strings.Contains(name, markStart) {
		return ""
	}
	name = squeeze(name)
	// A name that ends so describes a secret.
	for _, end := range [...]string{"file", "path", "dir", "name", "url", "type", "count", "limit", "usage"} {
		if strings.HasSuffix(name, end) {
			return ""
		}
	}
	for _, word := range [...]struct{ part, kind string }{
		{"passw", "password"}, {"passphrase", "password"}, {"secret", "secret"}, {"credential", "credential"},
		{"authorization", "authorization"}, {"cookie", "cookie"}, {"signature", "signature"}, {"token", "token"},
	} {
		if strings.Contains(name, word.part) {
			return word.kind
		}
	}
	for _, end := range [...]struct{ end, kind string }{
		{"pass", "password"}, {"pwd", "password"}, {"pw", "password"}, {"auth", "password"},
		{"passin", "password"}, {"passout", "password"}, {"otp", "otp"}, {"jwt", "jwt"}, {"bearer", "bearer"},
	} {
		if strings.HasSuffix(name, end.end) && name != "pwd" && name != "oldpwd" { // directories
			return end.kind
		}
	}
	if strings.LastIndex(name, "key") > 0 && !strings.Contains(name, "pub") || name == "sig" {
		return "key"
	}
	return ""
}

// squeeze returns the letters and digits of a name, in lower case.
func squeeze(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r > 0x7f:
			return r
		}
		return -1
	}, name)
}

// countsTokens reports whether a name in the plural more likely means a number of tokens.
func countsTokens(name string) bool { return strings.Contains(squeeze(name), "tokens") }
