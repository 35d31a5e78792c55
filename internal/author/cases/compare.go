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
)

// Mismatch is one difference from the expectation.
type Mismatch struct {
	What     string `json:"what"`     // the key of the expectation
	Expected string `json:"expected"` // in words
	Got      string `json:"got"`
}

// compare compares the result with the expectation.
func (p *play) compare(r *Result) {
	switch {
	case p.expect == nil:
		r.differ("expect", "an expectation", "none in the case; agent-hooks spec case has the keys")
	case !p.expect.fires && r.Hook != nil:
		r.differ("fires", "false", "true")
	case p.expect.fires && r.Hook == nil:
		r.differ("fires", "true", "false: "+r.because)
	case p.expect.fires:
		r.compareAnswers(p.expect, p.placeholders)
		if took, limit := r.Hook.Duration, p.expect.maxTime; limit > 0 && took > limit {
			r.differ("max_ms", fmt.Sprintf("at most %d", limit.Milliseconds()), strconv.FormatInt(took.Milliseconds(), 10))
		}
		for _, f := range p.expect.files {
			r.compareFile(f, p.scratch.Work)
		}
	}
	r.Status = Passed
	if len(r.Mismatches) > 0 {
		r.Status = Failed
	}
}

func (r *Result) differ(what, expected, got string) {
	r.Mismatches = append(r.Mismatches, Mismatch{what, expected, got})
}

func (r *Result) compareAnswers(x *expectation, placeholders []string) {
	for _, key := range answerKeys {
		got := r.saw.get(key)
		if want := x.texts[key]; want != nil {
			found, undecided := want.finds(r.saw.string(key))
			switch {
			case undecided != "":
				r.differ(key, want.String(), "not decided: "+undecided)
			case !found:
				r.differ(key, want.String(), answerText(key, got))
			}
		} else if want := x.values[key]; want != nil {
			want = replaced(want, placeholders)
			if !same(want, got) {
				r.differ(key, answerText(key, want), answerText(key, got))
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

// compareFile checks a file in the work dir after the hook has run. It never opens files outside the
// work dir.
func (r *Result) compareFile(want expectedFile, work string) {
	key := "files " + filepath.ToSlash(want.path)
	root, err := os.OpenRoot(work)
	if err != nil {
		r.differ(key, want.content.String(), shown.Cause(err).Error())
		return
	}
	defer root.Close()
	found, _ := fs.Glob(root.FS(), filepath.ToSlash(want.path)) // the pattern has been checked
	if want.content.matcher == nil {
		if len(found) > 0 {
			r.differ(key, "no such file", strings.Join(found, ", "))
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
	r.differ(key, want.content.String(), got)
}

func readIn(root *os.Root, name string) (string, error) {
	file, err := root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", err
	}
	b, _, err := paths.ReadOpen(file, maxFile)
	return string(b), err
}

// Notes reports what a hook's cases do not test although all of them pass. results must be those of all
// its cases.
func Notes(hook *discovery.Hook, results []*Result) []string {
	if len(results) == 0 || slices.ContainsFunc(results, func(r *Result) bool { return r.Status != Passed }) {
		return nil
	}
	stops := func(r *Result) bool { return r.saw.is("decision", "deny", "ask") }
	// A hook that changes the event is no guard, and its on-failure keeps calls from passing unchanged.
	changes := func(r *Result) bool {
		return r.Hook != nil && (r.Hook.Answer.ModifiedInput != nil || r.Hook.Answer.UpdatedOutput != nil || r.Hook.Answer.ModifiedPrompt != "")
	}
	effect := func(r *Result) bool {
		return r.Hook != nil && !r.Hook.Answer.Empty() || len(r.Case.expect.files) > 0 || r.saw["failure"] != nil
	}
	blocked := slices.ContainsFunc(results, stops)
	switch {
	case blocked && !slices.ContainsFunc(results, func(r *Result) bool { return !stops(r) }):
		return []string{"every case expects a block, so a guard that blocks everything would also pass: add a case that must pass"}
	case !blocked && hook.OnFailure != manifest.Allow && !slices.ContainsFunc(results, changes):
		return []string{"it is a guard (on-failure: " + string(hook.OnFailure) + "), but no case expects a block: add one"}
	case !blocked && hook.Trigger.IsPre() && !hook.Async && !slices.ContainsFunc(results, effect):
		return []string{"no case expects a block or an answer, so a script that does nothing would also pass: add one"}
	}
	return nil
}
