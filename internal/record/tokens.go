package record

import "strings"

// tokenForm is a kind of secret with known prefixes.
type tokenForm struct {
	kind          string
	least, digits int // characters after the prefix; with digits, no letter or digit precedes it
	prefixes      string
}

// tokenForms returns the forms of the services that agents use most.
func tokenForms() [16]tokenForm {
	return [...]tokenForm{
		{"aws-key", 16, 0, "AKIA ASIA AROA AIDA ABIA"},
		{"github-token", 16, 0, "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_"},
		{"gitlab-token", 12, 0, "glpat- gldt- glrt-"},
		{"slack-token", 10, 0, "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-"},
		{"slack-webhook", 8, 0, "hooks.slack.com/services/"},
		{"discord-webhook", 8, 0, "discord.com/api/webhooks/ discordapp.com/api/webhooks/ discord.com/api/v8/webhooks/" +
			" discord.com/api/v9/webhooks/ discord.com/api/v10/webhooks/"},
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
			for end := 0; ; {
				i := strings.Index(text[end:], prefix)
				if i < 0 {
					break
				}
				from, found := end+i, false
				if end, found = form.end(text, from, prefix); found {
					spans = append(spans, span{from, end, form.kind})
				}
			}
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
	if rest, ok := strings.CutPrefix(text, `\`); ok && (strings.HasPrefix(rest, "\n") || strings.HasPrefix(rest, "\r\n")) {
		return strings.IndexByte(text, '\n') + 1
	}
	return 0
}

// findKeys finds private keys in PEM and PGP armor. An incomplete key extends to the end of
// the text, which then is open, or from its beginning.
func findKeys(text string) (spans []span, open bool) {
	const kind = "private-key"
	from := 0
	for at := 0; ; {
		begin, end, begins := armor(text, at)
		switch {
		case begin < 0 && open:
			return append(spans, span{from, len(text), kind}), true
		case begin < 0:
			return spans, false
		case !begins:
			spans = append(spans, span{from, end, kind})
			from, open = end, false
		case !open:
			from, open = begin, true
		}
		at = end
	}
}

// armor returns the next first or last line of a private key's armor; begin is -1 if there is
// none.
func armor(text string, at int) (begin, end int, begins bool) {
	const dashes = "-----"
	for {
		i := strings.Index(text[at:], dashes)
		if i < 0 {
			return -1, -1, false
		}
		begin, at = at+i, at+i+1
		inside := begin + len(dashes)
		label, _, closed := strings.Cut(text[inside:min(len(text), inside+70)], dashes)
		begins = strings.HasPrefix(label, "BEGIN ")
		if closed && strings.Contains(label, "PRIVATE KEY") && (begins || strings.HasPrefix(label, "END ")) {
			return begin, inside + len(label) + len(dashes), begins
		}
	}
}
