package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"golang.org/x/text/unicode/norm"
)

// Pause returns the text of a user's file that disables the user's hook until a time, in place of an
// earlier pause; the zero time only ends that. It changes nothing else.
func Pause(text, name string, until time.Time) (string, error) {
	return ending(text, "disable", "[[hooks.disable]] # agent-hooks pause\nname = "+strconv.Quote(name), name, until)
}

// Trial is Pause for a hook that is only observed. What the user has added to the entry of a trial stays.
func Trial(text, name string, until time.Time) (string, error) {
	return ending(text, "override", "[[hooks.override]] # agent-hooks add: a trial\nname = "+strconv.Quote(name)+"\nobserve = true", name, until)
}

// ending removes the entries of a list that end for a hook, and adds one that begins with some lines
// unless until is zero.
func ending(text, list, begin, name string, until time.Time) (string, error) {
	body := strings.TrimPrefix(text, "\ufeff")
	mark := text[:len(text)-len(body)]
	root, err := tree.ReadTOML([]byte(body))
	if err != nil {
		return "", err
	}
	name = norm.NFKC.String(name)
	entries := root.Member("hooks").Member(list)
	if entries == nil || entries.Tag != tree.List {
		entries = &tree.Node{}
	}
	for _, e := range slices.Backward(entries.Children) {
		until, of, observe := e.Member("until"), e.Member("name"), e.Member("observe")
		if until == nil || until.Tag != tree.Time || of == nil || norm.NFKC.String(of.Text) != name || list == "override" && observe.Decode() != true {
			continue
		}
		if entries.Flow {
			return "", fmt.Errorf("the entry of %s is in a list in brackets; remove it", name)
		}
		body = withoutEnd(body, list, e)
	}
	if !until.IsZero() {
		if body != "" {
			body = strings.TrimSuffix(body, "\n") + "\n\n"
		}
		body += begin + "\nuntil = " + until.UTC().Format(time.RFC3339) + "\n"
	}
	f := Parse([]byte(body), Name, discovery.UserScope)
	if f.unusable {
		return "", fmt.Errorf("the file cannot get these lines: %s", f.Diagnostics[0])
	}
	all := f.disable
	if list == "override" {
		all = f.override
	}
	for _, e := range all {
		at, _ := get[time.Time](e, "until")
		added := !until.IsZero() && at.Equal(until.Truncate(time.Second))
		if e.name == name && !added && (list == "disable" || !until.IsZero()) {
			return "", fmt.Errorf("line %d is for this hook, too; change or remove that entry", e.line)
		}
	}
	return mark + body, nil
}

// withoutEnd returns a text without an entry of a list or, if a trial's has other keys, without its trial.
func withoutEnd(text, list string, e *tree.Node) string {
	trial := func(n *tree.Node) bool { return n.Key == "observe" || n.Key == "until" }
	kept := func(n *tree.Node) bool { return n.Key != "name" && !trial(n) }
	if list == "disable" || !slices.ContainsFunc(e.Children, kept) {
		before := text[:strings.LastIndexByte(text[:e.Begin], '\n')+1]
		if above := strings.TrimSuffix(strings.TrimSuffix(before, "\n"), "\r"); strings.HasSuffix(above, "\n") {
			before = above // without the empty line
		}
		return before + text[e.After:]
	}
	for _, n := range slices.Backward(e.Children) {
		if trial(n) {
			_, after, _ := strings.Cut(text[n.End:], "\n")
			text = text[:strings.LastIndexByte(text[:n.Begin], '\n')+1] + after
		}
	}
	return text
}
