package cases

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
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
		c.differ("expect", "an expectation", "none in the case; agent-hooks test --update writes the result")
	case !p.expect.fires && r.saw.fired:
		c.differ("fires", "false", "true")
	case p.expect.fires && !r.saw.fired:
		c.differ("fires", "true", "false: "+r.saw.because)
	case p.expect.fires:
		c.answer(p.expect)
		c.values(p.expect, p.places)
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

func (c *comparison) answer(x *expectation) {
	c.text("failure", x.failure())
	if x.exit != nil && *x.exit != c.saw.exit {
		c.differ("exit", x.exit.String(), c.saw.exit.String())
	}
	if x.decision != "" && x.decision != c.saw.decision {
		c.differ("decision", x.decision, c.saw.decision)
	}
	for _, key := range [...]string{"reason", "context", "message"} {
		c.text(key, x.texts[key])
	}
	if x.most > 0 && c.saw.took > x.most {
		c.differ("max_ms", fmt.Sprintf("at most %d", x.most.Milliseconds()), strconv.FormatInt(c.saw.took.Milliseconds(), 10))
	}
}

// failure returns the pattern for the failure. Without the key, no failure is expected.
func (x *expectation) failure() *pattern {
	if p := x.texts["failure"]; p != nil {
		return p
	}
	return &pattern{}
}

func (c *comparison) text(key string, want *pattern) {
	if want == nil {
		return
	}
	got := c.saw.texts[key]
	found, undecided := want.finds(got)
	switch {
	case found:
	case undecided != "":
		c.differ(key, want.String(), "not decided: "+undecided)
	case got == "":
		c.differ(key, want.String(), "none")
	default:
		c.differ(key, want.String(), strconv.Quote(cutText(got)))
	}
}

// cutText shortens a text for a message.
func cutText(s string) string {
	const most = 4 << 10
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strings.ToValidUTF8(s, "�")
}

func (e exitStatus) String() string {
	if e.none {
		return "none"
	}
	return strconv.Itoa(e.status)
}

func (c *comparison) values(x *expectation, places []string) {
	for _, key := range [...]string{"modified_input", "updated_output"} {
		want, got := x.values[key], c.saw.values[key]
		switch {
		case want == nil || want.kind == null && got == nil:
			continue
		case want.kind == null:
			c.differ(key, "none", string(got.JSON()))
		case got == nil:
			c.differ(key, string(want.replaced(places).JSON()), "none")
		case !want.replaced(places).same(got):
			c.differ(key, string(want.replaced(places).JSON()), string(got.JSON()))
		}
	}
}

// file checks a file that the hook has left in the work dir. It never opens files outside of
// it.
func (c *comparison) file(want expectedFile, work string) {
	key := "files " + filepath.ToSlash(want.path)
	root, err := os.OpenRoot(work)
	if err != nil {
		c.differ(key, want.content.String(), plainError(err))
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
			got = plainError(err)
			continue
		}
		matched, undecided := want.content.finds(content)
		if matched {
			return
		}
		if got = strconv.Quote(cutText(content)); undecided != "" {
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
	b, err := readFile(file)
	return string(b), err
}
