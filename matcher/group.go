package matcher

import (
	"strconv"
	"strings"
)

// group translates an opening parenthesis and the group syntax that follows it.
func (t *translator) group() {
	rest := t.rest()
	for _, kind := range [...]string{"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>"} {
		if strings.HasPrefix(rest, kind) {
			t.plain(kind)
			return
		}
	}
	switch {
	case !strings.HasPrefix(rest, "(?"):
		t.started = true
		t.capture("")
		t.copy(1)
	case strings.HasPrefix(rest, "(?#"):
		t.comment()
	case strings.HasPrefix(rest, "(?P<"):
		t.named(4)
	case strings.HasPrefix(rest, "(?<"):
		t.differs("(?<name>…); Python's re requires (?P<name>…)")
		t.named(3)
	case strings.HasPrefix(rest, "(?P="):
		t.nameReference()
	case strings.HasPrefix(rest, "(?("):
		t.condition()
	default:
		t.flags()
	}
}

func (t *translator) plain(kind string) {
	t.started = true
	t.negative = t.negative || strings.HasSuffix(kind, "!")
	around := kind != "(?:" && kind != "(?>"
	t.enter(group{behind: kind == "(?<=" || kind == "(?<!", around: around})
	t.write(len(kind), kind, "(?:")
}

func (t *translator) capture(name string) {
	t.groups++
	if name != "" {
		if t.names == nil {
			t.names = map[string]int{}
		}
		t.names[name] = t.groups
	}
	t.enter(group{number: t.groups})
}

func (t *translator) comment() {
	end := strings.IndexByte(t.rest(), ')')
	if end < 0 {
		t.fail("a comment without its closing parenthesis")
		return
	}
	t.write(end+1, t.rest()[:end+1], "")
}

// named translates (?P<name> to a plain parenthesis.
func (t *translator) named(prefix int) {
	t.started = true
	name, rest, ok := strings.Cut(t.src[t.pos+prefix:], ">")
	switch {
	case !ok || !identifier(name):
		t.fail("a group name that is not letters, digits and underscores, ended by >")
	case t.names[name] != 0:
		t.fail("a second group %q", name)
	case strings.HasPrefix(rest, "?"):
		// After a plain parenthesis the question mark would have a meaning.
		t.fail("nothing to repeat")
	default:
		t.capture(name)
		t.write(prefix+len(name)+1, "(", "(")
	}
}

func (t *translator) nameReference() {
	t.started = true
	name, _, ok := strings.Cut(t.src[t.pos+len("(?P="):], ")")
	if !ok || t.names[name] == 0 {
		t.fail("no group %q precedes this reference", name)
		return
	}
	t.reference(len("(?P=")+len(name)+1, t.names[name])
}

// condition translates (?(name)… to (?(number)….
func (t *translator) condition() {
	t.started = true
	name, _, ok := strings.Cut(t.src[t.pos+len("(?("):], ")")
	number := t.names[name]
	if text, rest := digits(name); rest == "" {
		number, _ = strconv.Atoi(text)
	}
	if !ok || number == 0 {
		t.fail("a condition on %q, which is not a group", name)
		return
	}
	t.enter(group{one: true})
	t.replace(len("(?(")+len(name)+1, "(?("+strconv.Itoa(number)+")")
}

// flags translates (?i), (?i:… and similar groups. It rejects every flag that
// Python does not define, because some of the engine's own flags change the
// meaning of groups.
func (t *translator) flags() {
	spec := t.src[t.pos+2:]
	end := strings.IndexAny(spec, ":)")
	if end < 0 {
		t.fail("an unknown kind of group")
		return
	}
	colon := spec[end] == ':'
	on, off, minus := strings.Cut(spec[:end], "-")
	if spec[:end] == "" || minus && off == "" || strings.Trim(on, "imsxu") != "" || strings.Trim(off, "imsx") != "" {
		t.fail("an unknown kind of group or a flag other than i, m, s, x and u")
		return
	}
	if !colon && (minus || t.started || len(t.open) > 0) {
		t.differs("a flag inside the expression; Python's re requires it at the start, or (?i:…)")
	}
	t.applyFlags(end+3, strings.ReplaceAll(on, "u", ""), off, colon)
}

func (t *translator) applyFlags(length int, on, off string, colon bool) {
	closing := ")"
	if colon {
		closing = ":"
		t.started = true
		t.enter(group{})
	}
	t.verbose = (t.verbose || strings.Contains(on, "x")) && !strings.Contains(off, "x")
	if off != "" {
		off = "-" + off
	}
	if on+off == "" && !colon {
		t.pos += length // (?u): no output needed
		return
	}
	t.opaque = t.opaque || strings.Contains(on+off, "x")
	t.write(length, "(?"+on+off+closing, "(?"+on+off+closing)
}
