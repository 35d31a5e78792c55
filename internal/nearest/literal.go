package nearest

import (
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/lint"
	"github.com/agent-hooks/agent-hooks/internal/regex"
)

// literal takes signs that mean something for themselves: all of them, those
// that have no backslash yet, or those of one kind; between anchors, too.
func (t *trial) literal() (changes []Change) {
	flags, rest := leadingFlags(t.source)
	for _, held := range [...]struct{ start, end string }{{}, {"^", ""}, {"", "$"}, {"^", "$"}} {
		inner, ok := strings.CutPrefix(rest, held.start)
		if ok {
			inner, ok = strings.CutSuffix(inner, held.end)
		}
		if !ok {
			continue
		}
		for _, signs := range [...]string{lint.Special, lint.Special[1:], "()", "[", "+", "?", "*", "$", "|", "{"} {
			if to, sign := lint.Escape(inner, signs); sign != "" {
				changes = append(changes, Change{Kind: "literal", To: flags + held.start + to + held.end,
					Why: "that is there letter for letter; `" + sign + "` stands for itself behind a backslash only"})
			}
		}
	}
	return changes
}

// leadingFlags cuts (?i) and its like off the start.
func leadingFlags(source string) (flags, rest string) {
	end := strings.IndexByte(source, ')') + 1
	if !strings.HasPrefix(source, "(?") || end == 0 || strings.Trim(source[2:end-1], "imsu") != "" {
		return "", source
	}
	return source[:end], source[end:]
}

// trim takes the white space at its ends off.
func (t *trial) trim() []Change {
	to := strings.TrimSpace(t.source)
	if to == t.source || to == "" {
		return nil
	}
	dropped := edges{blank: !strings.HasPrefix(t.source, to), end: !strings.HasSuffix(t.source, to)}
	return []Change{{Kind: "blank", To: to, Why: "the white space at its ends counts", dropped: dropped}}
}

// unwrap takes off what was put around the expression and is taken for a part
// of it: slashes, quotes; and makes typographic signs plain.
func (t *trial) unwrap() (changes []Change) {
	add := func(to, why string) {
		if to != t.source && to != "" {
			changes = append(changes, Change{Kind: "quote", To: to, Why: why})
		}
	}
	for _, plain := range plainSigns(t.source) {
		add(plain, "it has typographic signs, and there are plain ones")
	}
	add(betweenSlashes(t.source), "an expression stands here without slashes around it")
	for _, source := range append(plainSigns(t.source), t.source) {
		add(betweenQuotes(source), "the quotes around it count")
	}
	return changes
}

// plainSigns returns what a text that was typeset may have been before.
func plainSigns(text string) []string {
	common := []string{"‘", "'", "’", "'", "“", `"`, "”", `"`, "—", "--", "…", `\.\.\.`, "\u00a0", " "}
	once := strings.NewReplacer(append(common, "–", "-")...).Replace(text)
	if once == text {
		return nil
	}
	return []string{once, strings.NewReplacer(append(common, "–", "--")...).Replace(text)}
}

// betweenSlashes reads an expression that is written as JavaScript's are; ""
// if it is not.
func betweenSlashes(source string) string {
	rest, ok := strings.CutPrefix(source, "/")
	end := strings.LastIndexByte(rest, '/')
	if !ok || end < 1 || strings.Trim(rest[end+1:], "gimsuy") != "" {
		return ""
	}
	inner := strings.ReplaceAll(rest[:end], `\/`, "/")
	flags := strings.Trim(rest[end+1:], "guy")
	if flags == "" {
		return inner
	}
	return "(?" + flags + ")" + inner
}

// betweenQuotes returns what stands between quotes, inside the anchors if
// there are any; "" if there are none.
func betweenQuotes(source string) string {
	start, inner, end := "", source, ""
	if rest, ok := strings.CutPrefix(inner, "^"); ok {
		start, inner = "^", rest
	}
	if rest, ok := strings.CutSuffix(inner, "$"); ok {
		inner, end = rest, "$"
	}
	for _, quotes := range [...][2]string{{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"‘", "’"}, {"“", "”"}} {
		if len(inner) <= len(quotes[0]+quotes[1]) || !strings.HasPrefix(inner, quotes[0]) || !strings.HasSuffix(inner, quotes[1]) {
			continue
		}
		if bare := inner[len(quotes[0]) : len(inner)-len(quotes[1])]; !strings.Contains(bare, quotes[0]) {
			return start + bare + end
		}
	}
	return ""
}

// controls takes a backspace for the \b of which YAML makes one.
func (t *trial) controls() []Change {
	if !strings.Contains(t.source, "\b") {
		return nil
	}
	return []Change{{Kind: "escape", To: strings.ReplaceAll(t.source, "\b", `\b`), Why: `between double quotes YAML makes a backspace of \b; use single quotes`}}
}

// slips mends what lint finds.
func (t *trial) slips() (changes []Change) {
	for _, mend := range lint.Mended(t.source) {
		changes = append(changes, Change{Kind: "slip", To: mend.To, Why: mend.Why})
	}
	return changes[:min(len(changes), mostPlaces)]
}

// toolGlob reads the expression as a pattern of names.
func (t *trial) toolGlob() []Change {
	if !strings.Contains(t.source, "*") || strings.Contains(t.source, ".*") {
		return nil
	}
	return []Change{{Kind: "glob", To: strings.ReplaceAll(t.source, "*", ".*"), Why: whyGlob}}
}

const whyGlob = "it reads like a glob, and in an expression `*` repeats what stands before it"

// glob reads the expression as the shell's pattern of a file's name.
func (t *trial) glob() []Change {
	if !strings.Contains(t.source, "*") || t.has(func(n *regex.Node) bool { return n.Kind == regex.Group || n.Kind == regex.Assert }) {
		return nil
	}
	to := lint.Glob(t.source)
	return []Change{{Kind: "glob", To: to + "$", Why: whyGlob}, {Kind: "glob", To: to, Why: whyGlob, dropped: edges{end: true}}}
}
