package advice

import "strings"

// literal escapes special characters: all of them, those without a backslash, or those of one
// kind; also between anchors.
func (t *trial) literal() (changes []Change) {
	flags, rest := "", t.source
	if end := strings.IndexByte(rest, ')') + 1; strings.HasPrefix(rest, "(?") && end > 0 && strings.Trim(rest[2:end-1], "imsu") == "" {
		flags, rest = rest[:end], rest[end:]
	}
	for _, held := range [...]struct{ start, end string }{{}, {"^", ""}, {"", "$"}, {"^", "$"}} {
		inner, start := strings.CutPrefix(rest, held.start)
		inner, end := strings.CutSuffix(inner, held.end)
		if !start || !end {
			continue
		}
		for _, signs := range [...]string{special, special[1:], "()", "[", "+", "?", "*", "$", "|", "{"} {
			if to, sign := escape(inner, signs); sign != "" {
				changes = append(changes, Change{Kind: "literal", To: flags + held.start + to + held.end,
					Why: "that is there letter for letter; `" + sign + "` stands for itself behind a backslash only"})
			}
		}
	}
	return changes
}

// unwrap removes slashes and quotes around the expression, and replaces typographic characters
// by plain ones.
func (t *trial) unwrap() (changes []Change) {
	add := func(to, why string) {
		if to != t.source && to != "" {
			changes = append(changes, Change{Kind: "quote", To: to, Why: why})
		}
	}
	plain := strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "—", "--", "…", `\.\.\.`, "\u00a0", " ").Replace(t.source)
	for _, dash := range [...]string{"-", "--"} {
		add(strings.ReplaceAll(plain, "–", dash), "it has typographic signs, and there are plain ones")
	}
	add(betweenSlashes(t.source), whySlashes)
	add(betweenQuotes(plain), "the quotes around it count")
	return changes
}

// betweenQuotes returns the text between quotes, inside the anchors if there are any; "" if
// there are no quotes.
func betweenQuotes(source string) string {
	inner, start := strings.CutPrefix(source, "^")
	inner, end := strings.CutSuffix(inner, "$")
	if len(inner) < 3 || !strings.Contains("\"'`", inner[:1]) || strings.IndexByte(inner[1:], inner[0]) != len(inner)-2 {
		return ""
	}
	inner = inner[1 : len(inner)-1]
	if start {
		inner = "^" + inner
	}
	if end {
		inner += "$"
	}
	return inner
}

// betweenSlashes returns the expression in a JavaScript regular expression literal; "" for
// other text.
func betweenSlashes(source string) string {
	rest, ok := strings.CutPrefix(source, "/")
	end := strings.LastIndexByte(rest, '/')
	if !ok || end < 1 || strings.Trim(rest[end+1:], "gimsuy") != "" {
		return ""
	}
	inner := strings.ReplaceAll(rest[:end], `\/`, "/")
	if flags := strings.Trim(rest[end+1:], "guy"); flags != "" {
		return "(?" + flags + ")" + inner
	}
	return inner
}

const whyGlob = "it reads like a glob, and in an expression `*` repeats what stands before it"

// glob interprets the expression as a glob.
func (t *trial) glob() []Change {
	if !strings.Contains(t.source, "*") || t.has(func(n *node) bool { return n.Kind == groupNode || n.Kind == assertNode }) {
		return nil
	}
	if t.part == "tool" {
		return []Change{{Kind: "glob", To: strings.ReplaceAll(strings.ReplaceAll(t.source, ".*", "*"), "*", ".*"), Why: whyGlob}}
	}
	to := globText(t.source)
	return []Change{{Kind: "glob", To: to + "$", Why: whyGlob}, {Kind: "glob", To: to, Why: whyGlob, dropped: edges{end: true}}}
}
