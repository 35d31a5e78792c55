package record

import "strings"

// tokenForm is a kind of secret with known prefixes.
type tokenForm struct {
	kind          string
	least, digits int // characters after the prefix; with digits, no letter or digit precedes it
	prefixes      string
}

// tokenForms returns the forms of the services that agents use most.
func tokenForms() [17]tokenForm {
	return [...]tokenForm{
		{"aws-key", 16, 0, "AKIA ASIA AROA AIDA ABIA"},
		{"github-token", 16, 0, "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_"},
		{"gitlab-token", 12, 0, "glpat- gldt- glrt-"},
		{"slack-token", 10, 0, "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-"},
		{"slack-webhook", 8, 0, "hooks.slack.com/services/"},
		{"discord-webhook", 8, 0, "discord.com/api/webhooks/ discordapp.com/api/webhooks/"},
		{"discord-webhook", 8, 0, "discord.com/api/v8/webhooks/ discord.com/api/v9/webhooks/ discord.com/api/v10/webhooks/"},
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

// findTokens finds secrets by their prefixes.
func findTokens(text string) (spans []span) {
	for _, form := range tokenForms() {
		for prefix := range strings.FieldsSeq(form.prefixes) {
			spans = form.find(spans, text, prefix)
		}
	}
	return spans
}

// find appends the secrets that begin with a prefix.
func (f tokenForm) find(spans []span, text, prefix string) []span {
	for at := strings.Index(text, prefix); at >= 0; {
		end, ok := f.end(text, at, prefix)
		if ok {
			spans = append(spans, span{at, end, f.kind})
		}
		if at = strings.Index(text[end:], prefix); at >= 0 {
			at += end
		}
	}
	return spans
}

// end returns the end of the text of this form that begins at from, and whether it is a secret.
func (f tokenForm) end(text string, from int, prefix string) (end int, ok bool) {
	end = from + len(prefix)
	if f.digits > 0 && from > 0 && isAlnum(text[from-1]) && !(from > 1 && text[from-2] == '\\') {
		return end, false // inside a word, and not after an escape such as \n
	}
	letters, digits := 0, 0
	for ; end < len(text); end++ {
		c := text[end]
		switch n := continuation(text[end:]); {
		case n > 0:
			end += n - 1 // the secret continues on the next line of a shell command
			continue
		case c >= '0' && c <= '9':
			digits++
		case !isAlnum(c) && strings.IndexByte("_-.", c) < 0 && (c != '/' || !strings.HasSuffix(prefix, "/")):
			return end, letters >= f.least && digits >= f.digits
		}
		letters++
	}
	return end, letters >= f.least && digits >= f.digits
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

const pemBegin, pemEnd = "-----BEGIN ", "-----END "

// findKeys finds private keys in PEM and PGP armour. An incomplete key extends to the end of
// the text, or from its beginning.
func findKeys(text string) (spans []span) {
	const dashes = "-----"
	for at := 0; ; {
		from, to := armour(text, at, pemBegin), armour(text, at, pemEnd)
		switch {
		case from < 0 && to < 0:
			return spans
		case from < 0 || to >= 0 && to < from:
			from = at // the beginning of the key is missing
		case to < 0:
			return append(spans, span{from, len(text), "private-key"})
		}
		at = to + len(pemEnd)
		if i := strings.Index(text[at:], dashes); i >= 0 {
			at += i + len(dashes)
		}
		spans = append(spans, span{from, at, "private-key"})
	}
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
