package record

import "strings"

// secretKind returns the kind of secret that a name stands for, such as password or token, or
// "". Case and separators are ignored.
func secretKind(name string) string {
	if strings.Contains(name, markStart) {
		return ""
	}
	name = squeeze(name)
	// A name with such an end describes a secret, or is a directory.
	for _, end := range [...]string{"file", "path", "dir", "name", "url", "type", "count", "limit", "usage", "oldpwd"} {
		if strings.HasSuffix(name, end) || name == "pwd" {
			return ""
		}
	}
	for _, word := range [...]struct {
		part, kind string
		end        bool // only at the end of a name
	}{
		{"passw", "password", false}, {"passphrase", "password", false}, {"secret", "secret", false},
		{"credential", "credential", false}, {"authorization", "authorization", false}, {"cookie", "cookie", false},
		{"signature", "signature", false}, {"token", "token", false}, {"pass", "password", true}, {"pwd", "password", true},
		{"pw", "password", true}, {"auth", "password", true}, {"passin", "password", true}, {"passout", "password", true},
		{"otp", "otp", true}, {"jwt", "jwt", true}, {"bearer", "bearer", true},
	} {
		if i := strings.LastIndex(name, word.part); i >= 0 && (!word.end || i+len(word.part) == len(name)) {
			return word.kind
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
