package record

import "strings"

var (
	// noSecret matches names that describe a secret, or are directories.
	noSecret = pattern{text: `(?:file|path|dir|name|url|type|count|limit|usage|oldpwd)$|^pwd$`}

	// secretName matches names of secrets. The group's name is the kind of secret.
	secretName = pattern{text: `(?P<authorization>authorization)|(?P<cookie>cookie)` +
		`|(?P<password>passw|passphrase|(?:pass|pwd|pw|auth|passin|passout)$)` +
		`|(?P<secret>secret)|(?P<credential>credential)|(?P<signature>signature)` +
		`|(?P<token>token)|(?P<otp>otp$)|(?P<jwt>jwt$)|(?P<bearer>bearer$)`}
)

// secretKind returns the kind of secret that a name suggests, such as password or token; "" for
// none. Case and separators are ignored.
func secretKind(name string) string {
	squeezed := squeeze(name)
	if strings.Contains(name, markStart) || noSecret.get().MatchString(squeezed) {
		return ""
	}
	for i, part := range secretName.get().FindStringSubmatch(squeezed) {
		if i > 0 && part != "" {
			return secretName.get().SubexpNames()[i]
		}
	}
	if strings.LastIndex(squeezed, "key") > 0 && !strings.Contains(squeezed, "pub") || squeezed == "sig" {
		return "key"
	}
	return ""
}

// squeeze returns the letters and digits of a name, in lower case.
func squeeze(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && !isAlnum(byte(r)) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// countsTokens reports whether a name in the plural more likely means a number of tokens.
func countsTokens(name string) bool { return strings.Contains(squeeze(name), "tokens") }
