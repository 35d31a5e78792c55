package record

import "strings"

// tokenForm is a kind of secret with known prefixes.
type tokenForm struct {
	kind     string
	length   int    // minimum number of characters after the prefix
	digits   int    // minimum number of digits among them; if set, the prefix must begin a word
	prefixes string // separated by spaces
}

// tokenForms returns the forms of the services that agents use most.
func tokenForms() [14]tokenForm {
	return [...]tokenForm{
		{"aws-key", 16, 0, "AKIA ASIA AROA AIDA ABIA"},
		{"github-token", 16, 0, "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_"},
		{"gitlab-token", 12, 0, "glpat- gldt- glrt-"},
		{"slack-token", 10, 0, "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-"},
		{"api-key", 8, 0, "sk-ant- sk-proj- sk-or-"},
		{"api-key", 16, 1, "sk- gsk_ xai-"},
		{"stripe-key", 8, 0, "sk_live_ sk_test_ rk_live_ rk_test_"},
		{"google-key", 16, 0, "AIza ya29. GOCSPX-"},
		{"token", 16, 0, "whsec_ pypi-AgE dckr_pat_ shpat_ glsa_ lin_api_ dop_v1_ AGE-SECRET-KEY-1"},
		{"token", 30, 1, "npm_ hf_ SG."},
		{"vault-token", 20, 1, "hvs. hvb."},
		{"vault-token", 24, 4, "s."},
		{"databricks-token", 32, 6, "dapi"},
		{"jwt", 16, 0, "eyJ"},
	}
}

var (
	// A token continues on the next line of a shell command after a backslash.
	tokenTail = pattern{text: `^(?:[\w.-]|\\\r?\n)*`}
	digit     = pattern{text: `\d`}
)

// findTokens finds secrets by their prefixes.
func findTokens(text string) (spans []span) {
	for _, form := range tokenForms() {
		for prefix := range strings.FieldsSeq(form.prefixes) {
			for _, rest, found := strings.Cut(text, prefix); found; _, rest, found = strings.Cut(rest, prefix) {
				tail := tokenTail.get().FindString(rest)
				from, at := len(text)-len(prefix)-len(rest), len(text)-len(rest)
				if form.fits(text[:from], tail) {
					spans = append(spans, span{from, at + len(tail), form.kind})
				}
				rest = rest[len(tail):]
			}
		}
	}
	return spans
}

func (f tokenForm) fits(before, tail string) bool {
	if len(tail) < f.length || f.digits == 0 {
		return len(tail) >= f.length
	}
	n := len(before)
	inWord := n > 0 && isAlnum(before[n-1]) && !(n > 1 && before[n-2] == '\\') // not after an escape such as \n
	return !inWord && len(digit.get().FindAllString(tail, f.digits)) == f.digits
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// keyEdge matches the first and the last line of a private key in PEM or PGP armor.
var keyEdge = pattern{text: `-----(BEGIN|END) [^-]*PRIVATE KEY[^-]*-----`}

// findKeys finds private keys. An incomplete key extends to the end of the text, which then is
// open, or from its beginning.
func findKeys(text string) (spans []span, open bool) {
	const kind = "private-key"
	from := 0
	for _, edge := range keyEdge.all(text) {
		begins := text[edge[2]] == 'B'
		switch {
		case !begins:
			spans = append(spans, span{from, edge[1], kind})
			from, open = edge[1], false
		case !open:
			from, open = edge[0], true
		}
	}
	if open {
		spans = append(spans, span{from, len(text), kind})
	}
	return spans, open
}

// credentials are found in headers and URLs. The group is the secret.
var credentials = [...]struct {
	word, kind string
	pattern
}{
	{"bearer", "authorization", pattern{text: `(?i)bearer` + scheme}},
	{"basic", "authorization", pattern{text: `(?i)basic` + scheme}},
	{"authorization", "authorization", pattern{text: `(?i)authorization\W{1,6}token` + scheme}},
	{"://", "url-password", pattern{text: `://[^` + urlEnd + `/?#]*?:([^` + urlEnd + `/?#]*)@`}},
	// A password with a slash, but not a port before a path with an @.
	{"://", "url-password", pattern{text: `://[^` + urlEnd + `/?#@]*?:(\d*[^` + urlEnd + `/?#@\d][^` + urlEnd + `/?#@]*[/?#][^` + urlEnd + `]*)@`}},
	// A long user name is a token.
	{"://", "url-password", pattern{text: `://([^` + urlEnd + `/?#:]{20,})@`}},
	{"hooks.slack", "slack-webhook", pattern{text: `(hooks\.slack\.com/services/` + urlTail + `)`}},
	{"discord", "discord-webhook", pattern{text: `(discord(?:app)?\.com/api/(?:v\d+/)?webhooks/` + urlTail + `)`}},
}

const (
	urlEnd     = "\\s\"'`<>|\\\\" // ends a URL
	urlTail    = `(?:[\w./-]|\\\r?\n){8,}`
	credential = `[\w~+/=.\-\x{80}-\x{10FFFF}]`
	scheme     = `[ \t\\+]+(` + credential + `*\d` + credential + `*|` + credential + `{20,})`
)

// findCredentials finds the secrets in headers and URLs.
func findCredentials(text string) (spans []span) {
	lower := strings.ToLower(text)
	for i := range credentials {
		c := &credentials[i]
		if !strings.Contains(lower, c.word) {
			continue
		}
		for _, m := range c.all(text) {
			if !strings.Contains(text[m[0]:m[1]], markStart) {
				spans = append(spans, span{m[2], m[3], c.kind})
			}
		}
	}
	return spans
}
