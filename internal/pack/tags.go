package pack

import (
	"slices"
	"strconv"
	"strings"
)

// newerTags returns the tags of later versions than the one that ref, a tag or a commit with a tag,
// names, in their order; none for a branch. out is the output of git ls-remote.
func newerTags(out, ref string) (newer []string) {
	ref = strings.TrimPrefix(ref, "refs/tags/")
	commits := map[string]string{} // by tag
	for line := range strings.Lines(out) {
		id, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if tag, is := strings.CutPrefix(name, "refs/tags/"); is {
			commits[strings.TrimSuffix(tag, "^{}")] = id // the commit of an annotated tag follows the tag
		}
	}
	var pinned version
	for tag, id := range commits {
		if v, ok := versionOf(tag); ok && (tag == ref || id == ref) && !v.less(pinned) {
			pinned = v
		}
	}
	for tag := range commits {
		if v, ok := versionOf(tag); ok && pinned.numbers != nil && v.prefix == pinned.prefix && pinned.less(v) && checkRef(tag) == nil {
			newer = append(newer, tag)
		}
	}
	slices.SortFunc(newer, func(a, b string) int {
		v, _ := versionOf(a)
		w, _ := versionOf(b)
		return slices.Compare(v.numbers, w.numbers)
	})
	return newer
}

// version is a tag such as v1.2 or guards-3: a prefix without digits, and numbers.
type version struct {
	prefix  string
	numbers []int
}

func (v version) less(w version) bool { return slices.Compare(v.numbers, w.numbers) < 0 }

// versionOf parses a tag. Those of other forms, such as of a release candidate, are not versions.
func versionOf(tag string) (v version, ok bool) {
	at := strings.IndexAny(tag, "0123456789")
	if at < 0 {
		return version{}, false
	}
	v.prefix = tag[:at]
	for part := range strings.SplitSeq(tag[at:], ".") {
		n, err := strconv.Atoi(part)
		if err != nil || part[0] == '+' || part[0] == '-' {
			return version{}, false
		}
		v.numbers = append(v.numbers, n)
	}
	return v, true
}

// AtLeast reports whether a version of the program is not below another. It returns false for a
// build without a version.
func AtLeast(version, least string) bool {
	version, _, _ = strings.Cut(strings.TrimPrefix(version, "v"), "-")
	have, ok := versionOf(version)
	want, known := versionOf(least)
	return ok && known && have.prefix == want.prefix && !have.less(want)
}
