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

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/state"
	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// Update is the result of Result.Update. For a case without an expectation, it is the new file,
// with the actual result as the expectation. For other cases, it lists the changes that would
// make the case pass.
type Update struct {
	Text []byte   // the new file, with which a second run has passed
	Diff []string // instead of Text: lines of the expectation, with the prefix - or +
}

// Update returns the update for a failed case. It runs the case again, because results that
// differ in a second run cannot be expected. If there is nothing to write, the error explains
// why, and Diff may contain details.
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
	if err := r.Case.with(text).Run(ctx, environ).secondRunError(); err != nil {
		return Update{}, err
	}
	return Update{Text: text}, nil
}

// secondRunError returns an error if a second run does not pass.
func (r *Result) secondRunError() error {
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
		if v := r.actual(key); key == "exit" || v.kind != null {
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
			lines = append(lines, "-"+entry{key: m.What, value: old.find(m.What)}.line(), "+"+entry{key: m.What, value: r.actual(m.What)}.line())
		}
	}
	return lines
}

// actual returns the actual result as the value of a key.
func (r *Result) actual(key string) *value {
	v := r.saw.answers.get(key)
	switch key {
	case "reason", "context", "message":
		if v.kind == null {
			return v
		}
		return stringValue(patternOf(v.text(), r.scratch.Work, r.scratch.Home, filepath.Dir(r.scratch.Work)))
	}
	return v.requoted().replaced([]string{r.scratch.Work, workDir, r.scratch.Home, homeDir})
}

// requoted returns the value with its strings as tree.JSON encodes them.
func (v *value) requoted() *value {
	return v.mapped(func(s *value) string { return tree.JSON(s.text()) })
}

// patternOf returns an expression that matches the first line of text, in which it replaces the
// given paths with wildcards. A path must come before the paths that contain it.
func patternOf(text string, placeholders ...string) string {
	const limit, place = 80, "\x00"
	line, _, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(text, "�")), "\n")
	for _, p := range placeholders {
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

// Write atomically replaces the case's file with updated. It returns an error if the file has
// changed since it was read.
func (c *Case) Write(updated []byte) error {
	info, err := os.Lstat(c.Path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return errors.New("it is a link; change what it leads to")
	}
	now, _, err := paths.Read(c.Path, maxFile)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.source.bytes) {
		return errors.New("it was changed in the meantime")
	}
	return state.Write(c.Path, updated, info.Mode().Perm())
}

// Source returns the case's file as it was read.
func (c *Case) Source() []byte { return c.source.bytes }
