package advice

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

func slip(at int, what, fix string) Finding {
	return Finding{Code: Slip, Offset: at, What: what, Fix: fix}
}

// fixed returns f with the corrected expression.
func fixed(f Finding, to string) Finding {
	f.To, f.Fix = to, "write "+quote(to)
	return f
}

// slips finds mistakes that are possible in both tool and pattern.
func slips(source string) (found []Finding) {
	control := func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r", r) }
	if at := strings.IndexFunc(source, control); at >= 0 {
		found = append(found, slip(at, "has the control character "+strconv.QuoteRune(rune(source[at]))+
			", which YAML makes from a backslash in double quotes", "use single quotes"))
	}
	if at := strings.IndexFunc(source, func(r rune) bool { return unicode.Is(unicode.Cf, r) }); at >= 0 {
		r, _ := utf8.DecodeRuneInString(source[at:])
		found = append(found, fixed(slip(at, fmt.Sprintf("has the invisible character %U", r), ""), strings.ReplaceAll(source, string(r), "")))
	}
	if inner := strings.TrimSuffix(strings.TrimPrefix(source, "^"), "$"); len(inner) == len(source)-len("^$") && strings.Contains(inner, "|") && !strings.ContainsAny(inner, `^$()[]\`) {
		found = append(found, fixed(slip(0, "anchors only its first alternative at the start, and only its last at the end", ""), "^(?:"+inner+")$"))
	}
	return found
}

// patternSlips finds a glob, a command between slashes, which are searched too, and a star at its
// end, which repeats the space before it.
func patternSlips(source string) (found []Finding) {
	if isGlob(source) {
		found = append(found, fixed(slip(0, "looks like a glob, and in an expression `*` repeats what precedes it", ""), globText(source)+"$"))
	}
	if inner, ok := strings.CutPrefix(source, "/"); ok && strings.HasSuffix(inner, "/") && strings.ContainsAny(strings.TrimSuffix(inner, "/"), " ") {
		found = append(found, fixed(slip(0, "is between slashes, which must also match", ""), strings.TrimSuffix(inner, "/")))
	}
	if rest, ok := strings.CutSuffix(source, " *"); ok && rest != "" && !strings.HasSuffix(rest, `\`) {
		found = append(found, slip(len(rest), "ends with a star, which repeats the space before it", "for any text write "+quote(rest+" .*")+", for a star "+quote(rest+` \*`)))
	}
	return found
}

// isGlob reports whether source has a star before a dot, as in src/*.ts, and no syntax that
// globs lack.
func isGlob(source string) bool {
	return strings.Contains(source, "*.") && !strings.Contains(source, ".*") &&
		!strings.ContainsAny(source, `\^$()[]{}|+?`)
}

// globText converts a shell glob to an expression that matches the same file names.
func globText(glob string) string {
	text := regexp.QuoteMeta(strings.TrimLeft(glob, "*"))
	return strings.NewReplacer(`\*\*/`, "(?:.*/)?", `\*`, "[^/]*").Replace(text)
}
