package cases

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Mismatch is one difference from the expectation.
type Mismatch struct {
	What     string `json:"what"`     // the key of the expectation
	Expected string `json:"expected"` // in words
	Got      string `json:"got"`
}

// compare compares the result with the expectation.
func (p *play) compare(r *Result) {
	c := comparison{saw: &r.saw}
	switch {
	case p.expect == nil:
		c.differ("expect", "an expectation", "none in the case; agent-hooks spec case has the keys")
	case !p.expect.fires && r.saw.fired:
		c.differ("fires", "false", "true")
	case p.expect.fires && !r.saw.fired:
		c.differ("fires", "true", "false: "+r.saw.because)
	case p.expect.fires:
		c.answers(p.expect, p.placeholders)
		if limit := p.expect.maxTime; limit > 0 && r.saw.took > limit {
			c.differ("max_ms", fmt.Sprintf("at most %d", limit.Milliseconds()), strconv.FormatInt(r.saw.took.Milliseconds(), 10))
		}
		for _, f := range p.expect.files {
			c.file(f, p.scratch.Work)
		}
	}
	r.Status, r.Mismatches = Passed, c.mismatches
	if len(c.mismatches) > 0 {
		r.Status = Failed
	}
}

type comparison struct {
	saw        *observation
	mismatches []Mismatch
}

func (c *comparison) differ(what, expected, got string) {
	c.mismatches = append(c.mismatches, Mismatch{what, expected, got})
}

func (c *comparison) answers(x *expectation, placeholders []string) {
	for _, key := range answerKeys {
		got := c.saw.answers.get(key)
		if want := x.texts[key]; want != nil {
			found, undecided := want.finds(c.saw.answers.string(key))
			switch {
			case undecided != "":
				c.differ(key, want.String(), "not decided: "+undecided)
			case !found:
				c.differ(key, want.String(), answerText(key, got))
			}
		} else if want := x.values[key]; want != nil {
			want = replaced(want, placeholders)
			if !same(want, got) {
				c.differ(key, answerText(key, want), answerText(key, got))
			}
		}
	}
}

// answerText formats a value of an answer for a message.
func answerText(key string, v *tree.Node) string {
	switch {
	case v.Tag == tree.Null:
		return "none"
	case key == "decision":
		return textOf(v)
	case v.Tag == tree.String && key != "updated_output":
		return strconv.Quote(cutText(textOf(v)))
	}
	return string(encode(v))
}

// cutText shortens a text for a message.
func cutText(s string) string { return strings.ToValidUTF8(shown.Cut(s, 4<<10), "�") }

// file checks a file in the work dir after the hook has run. It never opens files outside the
// work dir.
func (c *comparison) file(want expectedFile, work string) {
	key := "files " + filepath.ToSlash(want.path)
	root, err := os.OpenRoot(work)
	if err != nil {
		c.differ(key, want.content.String(), shown.Cause(err).Error())
		return
	}
	defer root.Close()
	found, _ := fs.Glob(root.FS(), filepath.ToSlash(want.path)) // the pattern has been checked
	if want.content.matcher == nil {
		if len(found) > 0 {
			c.differ(key, "no such file", strings.Join(found, ", "))
		}
		return
	}
	got := "no such file"
	for _, name := range found {
		content, err := readIn(root, name)
		if err != nil {
			got = shown.Cause(err).Error()
			continue
		}
		matched, undecided := want.content.finds(content)
		if matched {
			return
		}
		got = strconv.Quote(cutText(content))
		if undecided != "" {
			got = "not decided: " + undecided
		}
	}
	c.differ(key, want.content.String(), got)
}

func readIn(root *os.Root, name string) (string, error) {
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	b, _, err := paths.ReadOpen(file, maxFile)
	return string(b), err
}

// Notes reports what a hook's cases do not test, even if all of them pass. results must be
// those of all its cases. Notes uses the expectations, not the actual results, so failing cases
// count, too.
func Notes(hook *discovery.Hook, results []*Result) []string {
	if len(results) == 0 || slices.ContainsFunc(results, func(r *Result) bool { return r.Status != Passed && r.Status != Failed }) {
		return nil
	}
	stops := slices.ContainsFunc(results, (*Result).stopped)
	lets := slices.ContainsFunc(results, func(r *Result) bool { return !r.stopped() })
	switch {
	case stops && !lets:
		return []string{"every case expects a block, so a guard that blocks everything would also pass: add a case that must pass"}
	case !stops && hook.OnFailure != manifest.Allow && !slices.ContainsFunc(results, (*Result).rewrote):
		return []string{"it is a guard (on-failure: " + string(hook.OnFailure) + "), but no case expects a block: add one"}
	case !stops && hook.Trigger.IsPre() && !hook.Async && !slices.ContainsFunc(results, (*Result).effect):
		return []string{"no case expects a block or an answer, so a script that does nothing would also pass: add one"}
	}
	return nil
}

// stopped reports whether the hook may block or ask in this case.
func (r *Result) stopped() bool {
	if x := r.Case.expect; x != nil {
		switch {
		case !x.fires:
			return false
		case x.values["decision"] != nil:
			return x.stops()
		case x.stops(), r.Status == Failed && x.wants("reason"):
			return true // it may; Notes reports only what is certain
		}
	}
	return r.saw.answers.is("decision", "deny", "ask")
}

// rewrote reports whether the hook changed the event in this case. It is then no
// guard, and its on-failure keeps calls from passing unchanged.
func (r *Result) rewrote() bool {
	return r.Hook != nil && (r.Hook.Answer.ModifiedInput != nil || r.Hook.Answer.UpdatedOutput != nil || r.Hook.Answer.ModifiedPrompt != "")
}

// effect reports whether the hook has any effect in this case.
func (r *Result) effect() bool {
	x := r.Case.expect
	if r.Answered() || x == nil {
		return r.Answered()
	}
	return x.values.is("decision", "allow") || len(x.files) > 0 || slices.ContainsFunc(answerKeys[:], func(key string) bool {
		return x.wants(key) || key != "exit" && key != "decision" && x.values.get(key).Tag != tree.Null
	})
}

// stops reports whether the case expects that the hook blocks or asks.
func (x *expectation) stops() bool {
	return x.values.is("decision", "deny", "ask") || x.values["decision"] == nil && x.values.is("exit", strconv.Itoa(spec.ExitBlock))
}

// wants reports whether the case expects a match in a text.
func (x *expectation) wants(key string) bool {
	p := x.texts[key]
	return p != nil && p.matcher != nil
}
