package record

import (
	"strings"
)

// tokenForm is a kind of secret with a known prefix.
type tokenForm struct {
	prefix, kind string
	least        int  // characters after the prefix
	upper        bool // they are upper-case letters and digits
	bounded      bool // no letter or digit precedes it
}

// tokenForms returns the forms of the services that agents use most.
func tokenForms() []tokenForm {
	return []tokenForm{
		{prefix: "AKIA", kind: "aws-key", least: 16, upper: true},
		{prefix: "ASIA", kind: "aws-key", least: 16, upper: true},
		{prefix: "AROA", kind: "aws-key", least: 16, upper: true},
		{prefix: "AIDA", kind: "aws-key", least: 16, upper: true},
		{prefix: "ABIA", kind: "aws-key", least: 16, upper: true},
		{prefix: "ghp_", kind: "github-token", least: 16},
		{prefix: "gho_", kind: "github-token", least: 16},
		{prefix: "ghu_", kind: "github-token", least: 16},
		{prefix: "ghs_", kind: "github-token", least: 16},
		{prefix: "ghr_", kind: "github-token", least: 16},
		{prefix: "github_pat_", kind: "github-token", least: 16},
		{prefix: "glpat-", kind: "gitlab-token", least: 12},
		{prefix: "gldt-", kind: "gitlab-token", least: 12},
		{prefix: "glrt-", kind: "gitlab-token", least: 12},
		{prefix: "xoxb-", kind: "slack-token", least: 10},
		{prefix: "xoxp-", kind: "slack-token", least: 10},
		{prefix: "xoxa-", kind: "slack-token", least: 10},
		{prefix: "xoxr-", kind: "slack-token", least: 10},
		{prefix: "xoxs-", kind: "slack-token", least: 10},
		{prefix: "xoxe-", kind: "slack-token", least: 10},
		{prefix: "xapp-", kind: "slack-token", least: 10},
		{prefix: "hooks.slack.com/services/", kind: "slack-webhook", least: 8},
		{prefix: "discord.com/api/webhooks/", kind: "discord-webhook", least: 8},
		{prefix: "discord.com/api/v8/webhooks/", kind: "discord-webhook", least: 8},
		{prefix: "discord.com/api/v9/webhooks/", kind: "discord-webhook", least: 8},
		{prefix: "discord.com/api/v10/webhooks/", kind: "discord-webhook", least: 8},
		{prefix: "discordapp.com/api/webhooks/", kind: "discord-webhook", least: 8},
		{prefix: "sk-ant-", kind: "api-key", least: 8},
		{prefix: "sk-proj-", kind: "api-key", least: 8},
		{prefix: "sk-or-", kind: "api-key", least: 8},
		{prefix: "sk-", kind: "api-key", least: 16, bounded: true},
		{prefix: "sk_live_", kind: "stripe-key", least: 8},
		{prefix: "sk_test_", kind: "stripe-key", least: 8},
		{prefix: "rk_live_", kind: "stripe-key", least: 8},
		{prefix: "rk_test_", kind: "stripe-key", least: 8},
		{prefix: "whsec_", kind: "webhook-secret", least: 16},
		{prefix: "AIza", kind: "google-key", least: 30},
		{prefix: "ya29.", kind: "google-token", least: 16},
		{prefix: "GOCSPX-", kind: "google-secret", least: 16},
		{prefix: "npm_", kind: "npm-token", least: 30, bounded: true},
		{prefix: "pypi-AgE", kind: "pypi-token", least: 16},
		{prefix: "hf_", kind: "huggingface-token", least: 30, bounded: true},
		{prefix: "gsk_", kind: "api-key", least: 30, bounded: true},
		{prefix: "xai-", kind: "api-key", least: 30, bounded: true},
		{prefix: "dop_v1_", kind: "digitalocean-token", least: 32},
		{prefix: "dckr_pat_", kind: "docker-token", least: 16},
		{prefix: "shpat_", kind: "shopify-token", least: 24},
		{prefix: "glsa_", kind: "grafana-token", least: 24},
		{prefix: "lin_api_", kind: "linear-key", least: 24},
		{prefix: "SG.", kind: "sendgrid-key", least: 32, bounded: true},
		{prefix: "AGE-SECRET-KEY-1", kind: "age-key", least: 32, upper: true},
		{prefix: "hvs.", kind: "vault-token", least: 20, bounded: true},
		{prefix: "hvb.", kind: "vault-token", least: 20, bounded: true},
		{prefix: "s.", kind: "vault-token", least: 24, bounded: true},
		{prefix: "dapi", kind: "databricks-token", least: 32, bounded: true},
		{prefix: "eyJ", kind: "jwt", least: 16},
	}
}

// findTokens finds secrets by their prefixes.
func findTokens(text string) (spans []span) {
	for _, form := range tokenForms() {
		for at := 0; ; {
			i := strings.Index(text[at:], form.prefix)
			if i < 0 {
				break
			}
			from := at + i
			at = from + len(form.prefix)
			end, ok := form.end(text, from)
			if ok {
				spans = append(spans, span{from, end, form.kind})
			}
			at = max(at, end) // no secret begins inside
		}
	}
	return spans
}

// end returns the end of the text of this form that begins at from, and whether it is a secret;
// 0 if there is none.
func (f tokenForm) end(text string, from int) (int, bool) {
	if f.bounded && from > 0 && isAlnum(text[from-1]) && !escapedLetter(text, from-1) {
		return 0, false
	}
	begin := from + len(f.prefix)
	end, letters := begin, 0
	for end < len(text) {
		if n := continuation(text[end:]); n > 0 {
			end += n // the secret continues on the next line of a shell command
			continue
		}
		if !f.has(text[end]) {
			break
		}
		end++
		letters++
	}
	switch {
	case letters < f.least:
		return end, false
	case f.kind == "jwt" && strings.IndexByte(text[begin:end], '.') < 0:
		return end, false
	case f.prefix == "sk-" && !strings.ContainsAny(text[begin:end], "0123456789"):
		return end, false // a name of words
	case f.prefix == "s.":
		return end, looksRandom(text[begin:end]) // otherwise a field of a variable
	case f.prefix == "dapi":
		return end, countDigits(text[begin:end]) >= 6 // otherwise a name
	}
	return end, true
}

func countDigits(text string) (n int) {
	for i := range len(text) {
		if text[i] >= '0' && text[i] <= '9' {
			n++
		}
	}
	return n
}

func (f tokenForm) has(c byte) bool {
	if f.upper {
		return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	if c == '/' && strings.HasSuffix(f.kind, "-webhook") {
		return true
	}
	return isAlnum(c) || c == '_' || c == '-' || c == '.' && (f.kind == "jwt" || f.prefix == "SG." || f.prefix == "ya29.")
}

// asciiLower is strings.ToLower for ASCII letters only, so that offsets do not change.
func asciiLower(text string) string {
	lower := []byte(text)
	for i, c := range lower {
		if c >= 'A' && c <= 'Z' {
			lower[i] = c + ('a' - 'A')
		}
	}
	return string(lower)
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// escapedLetter reports whether the letter at i belongs to an escape sequence, as in the text
// of a JSON string.
func escapedLetter(text string, i int) bool {
	return i > 0 && text[i-1] == '\\' && strings.IndexByte("nrtbf", text[i]) >= 0
}

// continuation returns the length of a backslash and a newline at the start of text; 0 if there
// is none.
func continuation(text string) int {
	for _, c := range [...]string{"\\\n", "\\\r\n"} {
		if strings.HasPrefix(text, c) {
			return len(c)
		}
	}
	return 0
}

// findKeys finds private keys in PEM and PGP armour. An incomplete key extends to the end of
// the text, or from its beginning.
func findKeys(text string) (spans []span) {
	const begin, end, dashes = "-----BEGIN ", "-----END ", "-----"
	at, next := 0, armour(text, 0, begin)
	for at < len(text) {
		if next >= 0 && next < at {
			next = armour(text, at, begin)
		}
		from := next
		to := armour(text, at, end)
		switch {
		case from < 0 && to < 0:
			return spans
		case from < 0 || to >= 0 && to < from:
			// The beginning of the key is missing.
			from, at = at, to
		default:
			if to = armour(text, from, end); to < 0 {
				return append(spans, span{from, len(text), "private-key"})
			}
		}
		at = to + len(end)
		if i := strings.Index(text[at:], dashes); i >= 0 {
			at += i + len(dashes)
		}
		spans = append(spans, span{from, at, "private-key"})
	}
	return spans
}

// armour returns the offset of the next line of a private key's armour, or -1.
func armour(text string, at int, start string) int {
	for {
		i := strings.Index(text[at:], start)
		if i < 0 {
			return -1
		}
		at += i
		label, _, closed := strings.Cut(text[at+len(start):min(len(text), at+len(start)+64)], "-----")
		if closed && strings.Contains(label, "PRIVATE KEY") {
			return at
		}
		at += len(start)
	}
}

// maxAuthority is the maximum length of the authority in a URL that is searched for a password.
const maxAuthority = 2 << 10

// findURLs finds the passwords in URLs: scheme://user:password@host.
func findURLs(text string) (spans []span) {
	const sep = "://"
	for at := 0; ; {
		i := strings.Index(text[at:], sep)
		if i < 0 {
			return spans
		}
		at += i + len(sep)
		authority := text[at:min(len(text), at+maxAuthority)]
		if end := strings.IndexAny(authority, " \t\r\n\"'`<>|\\"); end >= 0 {
			authority = authority[:end]
		}
		// The colon in a mark does not separate a user from a password.
		user, rest, ok := strings.Cut(strings.ReplaceAll(authority, markStart, "[redacted_"), ":")
		if strings.ContainsAny(user, "/?#@") || !ok {
			if host := strings.IndexByte(user, '@'); host >= 20 && !strings.ContainsAny(user[:host], "/?#") {
				spans = append(spans, span{at, at + host, "url-password"}) // a token as the user name
			}
			continue
		}
		if last := passwordEnd(rest); last > 0 {
			from := at + len(user) + 1
			spans = append(spans, span{from, from + last, "url-password"})
		}
	}
}

// passwordEnd returns the length of the password after "user:"; 0 if a port follows instead.
func passwordEnd(rest string) int {
	path := strings.IndexAny(rest, "/?#")
	if path < 0 {
		path = len(rest)
	}
	if last := strings.LastIndexByte(rest[:path], '@'); last >= 0 {
		return last
	}
	if strings.Trim(rest[:path], "0123456789") == "" {
		return 0
	}
	return max(0, strings.LastIndexByte(rest, '@'))
}

// findBearers finds the credentials after Bearer, Basic and Token in headers.
func findBearers(text string) (spans []span) {
	lower := asciiLower(text)
	for _, word := range [...]string{"bearer", "basic"} {
		for at := 0; ; {
			i := strings.Index(lower[at:], word)
			if i < 0 {
				break
			}
			at += i + len(word)
			from := at + len(text[at:]) - len(strings.TrimLeft(text[at:], " \t\\+"))
			end := from
			for end < len(text) && (isAlnum(text[end]) || strings.IndexByte("-._~+/=", text[end]) >= 0) {
				end++
			}
			value := text[from:end]
			digits := strings.ContainsAny(value, "0123456789")
			if from > at && (len(value) >= 20 || len(value) >= 8 && digits) {
				spans = append(spans, span{from, end, "authorization"})
				at = end
			}
		}
	}
	return spans
}
