package cases

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/atomicfile"
	"github.com/agent-hooks/agent-hooks/internal/yamltext"
)

// Update is the new file of a case without an expectation, with the actual result as the
// expectation. For other cases, it lists the changes to the expectation.
type Update struct {
	Text []byte   // the case passes with it in a second run
	Diff []string // instead of Text: the lines of the expectation, with the prefix - or +
}

// Update returns the update for a failed case. It runs the case again: results that differ in a
// second run cannot be expected. The error explains why there is nothing to write; Diff may then
// contain details.
func (r *Result) Update(ctx context.Context, environ []string) (Update, error) {
	switch {
	case r.Status != Failed:
		return Update{}, fmt.Errorf("the case is %s", r.Status)
	case r.saw.answers["failure"] != nil:
		// The results of a failed hook must not become the expectation.
		return Update{}, errors.New("the hook failed; fix it, or write an expectation for the failure by hand")
	case r.Case.expect != nil:
		return Update{Diff: r.diff()}, errors.New("it has an expectation; change it by hand")
	}
	changes := r.everything()
	text := r.Case.filled(changes)
	if text == nil {
		return Update{}, fmt.Errorf("the file is written in a way that cannot be changed safely; write this into it: \"expect\": %s", (&value{kind: object, entries: changes}).JSON())
	}
	if err := r.Case.with(text).Run(ctx, environ).otherwise(); err != nil {
		return Update{}, err
	}
	return Update{Text: text}, nil
}

// otherwise returns an error if a second run does not pass.
func (r *Result) otherwise() error {
	switch r.Status {
	case Stopped:
		return errors.New("stopped before another run could show that it passes")
	case Broken:
		return fmt.Errorf("a second run is broken: %s", r.Problem)
	case Failed:
		m := r.Mismatches[0]
		return fmt.Errorf("a second run gave a different result: %s was %s, and then %s; write the expectation by hand", m.What, m.Expected, cutRunes(m.Got, 200))
	}
	return nil
}

// with returns the case with another text.
func (c *Case) with(text []byte) *Case {
	n := &Case{Hook: c.Hook, Name: c.Name, Path: c.Path, source: &source{path: c.Path}}
	n.parse(text, nil)
	n.Diagnostics = n.source.problems()
	return n
}

// everything returns a complete expectation of the actual result.
func (r *Result) everything() (changes []entry) {
	if !r.saw.fired {
		return []entry{{key: "fires", value: &value{kind: boolean, token: "false"}}}
	}
	for _, key := range answerKeys {
		if v := r.came(key); key == "exit" || v.kind != null {
			changes = append(changes, entry{key: key, value: v})
		}
	}
	return changes
}

// diff returns the lines of the expectation that change, as YAML.
func (r *Result) diff() (lines []string) {
	old := r.Case.root.find("expect")
	if !r.Case.expect.fires || !r.saw.fired {
		for _, e := range old.entries {
			lines = append(lines, "-"+e.line())
		}
		for _, e := range r.everything() {
			lines = append(lines, "+"+e.line())
		}
		return lines
	}
	for _, m := range r.Mismatches {
		if slices.Contains(answerKeys[:], m.What) {
			lines = append(lines, "-"+entry{key: m.What, value: old.find(m.What)}.line(), "+"+entry{key: m.What, value: r.came(m.What)}.line())
		}
	}
	return lines
}

// came returns the actual result as the value of a key.
func (r *Result) came(key string) *value {
	v := r.saw.answers.get(key)
	switch key {
	case "reason", "context", "message":
		if v.kind == null {
			return v
		}
		return stringValue(patternOf(v.text(), r.scratch.Work, r.scratch.Home, filepath.Dir(r.scratch.Work)))
	}
	return v.spelled().replaced([]string{r.scratch.Work, workDir, r.scratch.Home, homeDir})
}

// spelled returns the value with its strings in our quoting style.
func (v *value) spelled() *value {
	return v.mapped(func(s *value) string { return yamltext.JSON(s.text()) })
}

// patternOf returns an expression that matches the first line of text, with any paths in the
// place of the given ones. Inner paths come before outer ones.
func patternOf(text string, places ...string) string {
	const limit, place = 80, "\x00"
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "�")), "\n")
	for _, p := range places {
		line = strings.ReplaceAll(line, p, place)
	}
	parts := strings.Split(cutRunes(strings.TrimSpace(line), limit), place)
	for i, part := range parts {
		parts[i] = regexp.QuoteMeta(strings.TrimSuffix(part, "\r"))
	}
	return strings.Join(parts, ".*")
}

// cutRunes shortens s to at most limit characters.
func cutRunes(s string, limit int) string {
	if runes := []rune(s); len(runes) > limit {
		return string(runes[:limit])
	}
	return s
}

// Write atomically replaces the case's file by updated, if it has not changed since it was
// read.
func (c *Case) Write(updated []byte) error {
	info, err := os.Lstat(c.Path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is a link; change what it leads to")
	}
	now, _, err := atomicfile.Read(c.Path, maxFile)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.source.bytes) {
		return errors.New("it was changed in the meantime")
	}
	return atomicfile.Write(c.Path, updated, info.Mode().Perm())
}

// Source returns the case's file as it was read.
func (c *Case) Source() []byte { return c.source.bytes }
