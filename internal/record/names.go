package record

import (
	"slices"
	"strings"
)

// secretKind returns the kind of secret that a name stands for, "password" or "token", or "".
// Case and separators are ignored.
func secretKind(name string) string {
	if strings.Contains(name, markStart) {
		return ""
	}
	squeezed := squeeze(name)
	for _, s := range [...]string{
		"file", "path", "dir", "name", "url", "uri", "type", "length", "count", "policy", "field", "ttl",
		"expiry", "expires", "expiresin", "limit", "size", "class", "label", "enabled", "required", "budget", "usage",
	} {
		if strings.HasSuffix(squeezed, s) {
			return "" // it describes a secret
		}
	}
	for _, s := range [...]struct{ part, kind string }{
		{"passw", "password"}, {"passphrase", "password"}, {"secret", "secret"}, {"credential", "credential"},
		{"apikey", "key"}, {"accesskey", "key"}, {"privatekey", "key"}, {"signingkey", "key"}, {"encryptionkey", "key"},
		{"masterkey", "key"}, {"accountkey", "key"}, {"authkey", "key"}, {"sshkey", "key"}, {"deploykey", "key"},
		{"authorization", "authorization"}, {"cookie", "cookie"},
		{"authtoken", "token"}, {"accesstoken", "token"}, {"bearertoken", "token"}, {"refreshtoken", "token"},
		{"apitoken", "token"}, {"sessiontoken", "token"}, {"amzsignature", "signature"},
	} {
		if strings.Contains(squeezed, s.part) {
			return s.kind
		}
	}
	switch {
	case strings.HasSuffix(squeezed, "token"), strings.HasSuffix(squeezed, "tokens"):
		return "token"
	case squeezed == "auth", squeezed == "pass", squeezed == "otp", squeezed == "jwt", squeezed == "bearer":
		return squeezed
	case squeezed == "passin", squeezed == "passout", squeezed == "pw", lastWordIs(name, "pw"), lastWordIs(name, "pass"), lastWordIs(name, "auth"):
		return "password"
	case squeezed != "pwd" && squeezed != "oldpwd" && strings.HasSuffix(squeezed, "pwd"):
		return "password"
	}
	return ""
}

// mayHoldSecret reports whether a name without a secretKind is that of a secret if its value
// looks like one.
func mayHoldSecret(name string) bool {
	squeezed := squeeze(name)
	if strings.Contains(name, markStart) || strings.Contains(squeezed, "public") {
		return false
	}
	return lastWordIs(name, "key") || squeezed == "sig" || strings.HasSuffix(squeezed, "signature")
}

// looksSecret reports whether the value of a name that may hold a secret is one: because it
// looks random, or because the name is a variable for keys, such as STRIPE_KEY, and the value
// is not a path or another variable.
func looksSecret(name, value string) bool {
	return looksRandom(value) || isKeyVariable(name) && value != "" && !isPath(value) && !isReference(value)
}

// isKeyVariable reports whether a name is that of a variable for an access key: not for a sort
// key, a cache key or a key of a keyboard.
func isKeyVariable(name string) bool {
	words := strings.Split(strings.TrimPrefix(name, "$"), "_")
	last := len(words) - 1
	if last < 1 || words[last] != "KEY" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
		return false
	}
	return !slices.ContainsFunc(words[:last], isHarmlessKey)
}

// isHarmlessKey reports whether a key of that kind is not a secret.
func isHarmlessKey(word string) bool {
	switch word {
	case "PUBLIC", "PUB", "PRIMARY", "FOREIGN", "SORT", "PARTITION", "COMPOSITE", "UNIQUE", "CLUSTER", "SHARD", "GROUP", "ORDER", "INDEX", "RANGE",
		"ROW", "COLUMN", "LOOKUP", "MAP", "DICT", "OBJECT", "JSON", "YAML", "CACHE", "STORAGE", "STORE", "STATE", "QUERY", "ROUTING", "ROUTE",
		"MESSAGE", "EVENT", "TOPIC", "CONFIG", "SETTING", "SETTINGS", "REGISTRY", "IDEMPOTENCY", "TRANSLATION", "LANG", "I18N", "THEME", "METADATA",
		"CONTEXT", "PARTIAL", "PREFIX", "DEFAULT", "MAX", "MIN", "NUM", "HAS", "IS", "NO", "BY", "ANY", "SAME", "DUPLICATE", "MISSING", "INVALID", "UNKNOWN",
		"HOT", "SHORTCUT", "MODIFIER", "ENTER", "RETURN", "ESC", "ESCAPE", "TAB", "SPACE", "ARROW", "UP", "DOWN", "LEFT", "RIGHT", "SHIFT", "CTRL", "CONTROL",
		"ALT", "META", "DELETE", "BACKSPACE", "HOME", "END", "FUNCTION":
		return true
	}
	return false
}

// isPath reports whether a value is a path.
func isPath(value string) bool {
	for _, start := range [...]string{"/", "./", "../", "~", "C:", "file:"} {
		if strings.HasPrefix(value, start) {
			return true
		}
	}
	return strings.HasSuffix(value, ".pem") || strings.HasSuffix(value, ".key") || strings.HasSuffix(value, ".crt")
}

// looksRandom distinguishes the value of a key from words, names and dates: it has letters and
// digits without spaces, which alternate more often than in ordinary text.
func looksRandom(value string) bool {
	const least, sure = 16, 24 // characters; sure: without a digit
	n, changes, digits := 0, 0, 0
	var last byte
	for i := range len(value) {
		c := value[i]
		switch {
		case isAlnum(c):
		case strings.IndexByte("+/=_-.%~\\\r\n", c) >= 0: // a shell command may continue on the next line
			continue
		default:
			return false
		}
		isDigit := c >= '0' && c <= '9'
		wasDigit := last >= '0' && last <= '9'
		if n > 0 && (isDigit != wasDigit || isLower(last) && !isDigit && !isLower(c)) {
			changes++
		}
		if isDigit {
			digits++
		}
		n++
		last = c
	}
	return n >= least && changes*4 >= n && (digits > 0 || n >= sure)
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

// lastWordIs distinguishes dbPass, DB_PASS and db-pass from compass.
func lastWordIs(name, word string) bool {
	n := len(name) - len(word)
	if n <= 0 || !strings.EqualFold(name[n:], word) {
		return false
	}
	before, first := name[n-1], name[n]
	return strings.IndexByte("_-. ", before) >= 0 || isLower(before) && !isLower(first)
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

// countsTokens reports whether a name in the plural more likely means a number of tokens.
func countsTokens(name string) bool { return strings.HasSuffix(squeeze(name), "tokens") }
