package cases

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// expectation is the expected result of a case. Keys that are not set accept anything, except
// that a failure must be expected.
type expectation struct {
	fires   bool
	values  answers // exit, decision, modified_input, updated_output; null: must be absent
	texts   map[string]*pattern
	files   []expectedFile
	maxTime time.Duration // 0: any
}

// answerKeys are the keys of an expectation that describe the hook's answer.
var answerKeys = [...]string{"failure", "exit", "decision", "reason", "modified_input", "updated_output", "context", "message"}

// answers maps keys of an expectation to values.
type answers map[string]*tree.Node

// get returns the value of a key; null if there is none.
func (a answers) get(key string) *tree.Node {
	return cmp.Or(a[key], &tree.Node{Tag: tree.Null, Text: "null"})
}

// is reports whether the value of a key is one of these words or numbers.
func (a answers) is(key string, words ...string) bool {
	return slices.Contains(words, textOf(a.get(key)))
}

// string returns the characters of a key's string; "" for any other value.
func (a answers) string(key string) string {
	if v := a[key]; v != nil && v.Tag == tree.String {
		return textOf(v)
	}
	return ""
}

type expectedFile struct {
	path    string // with wildcards, local
	content *pattern
}

// pattern is an expression that must match a text, or requires that the text is absent.
type pattern struct {
	source  string
	matcher *matcher.Matcher // nil: the text must be absent
}

const noDecision = "none"

var decisions = [...]string{"deny", "ask", "allow", noDecision}

func (c *Case) readExpect(e *tree.Node) {
	if e.Tag == tree.Null {
		return // ignore it
	}
	if !c.is(tree.Mapping, e, "a mapping such as {decision: deny}") {
		return
	}
	x := &expectation{fires: true, texts: map[string]*pattern{"failure": {}}, values: answers{}}
	c.expect = x
	for _, e := range e.Children {
		c.readExpected(x, e)
	}
	if !x.fires && len(e.Children) > 1 {
		c.source.report(badValue, e.Begin, "\"fires: false\" expects that the hook does not run; nothing else can be expected")
	}
}

func (c *Case) readExpected(x *expectation, e *tree.Node) {
	switch e.Key {
	case "fires":
		x.fires = !c.is(tree.Bool, e, "true or false") || e.Text == "true"
	case "exit":
		if e.Tag != tree.Null {
			c.integer(e, 0, 255)
		}
		x.values[e.Key] = e
	case "decision":
		c.readDecision(x, e)
	case "reason", "context", "message", "failure":
		if p := c.pattern(e); p != nil {
			x.texts[e.Key] = p
		}
	case "modified_input":
		if e.Tag == tree.Null || c.is(tree.Mapping, e, "the whole input as a mapping, or null for none") {
			x.values[e.Key] = e
		}
	case "updated_output":
		x.values[e.Key] = e
	case "files":
		c.readExpectedFiles(x, e)
	case "max_ms":
		if n, ok := c.integer(e, 1, int(spec.MaxTimeout.Milliseconds())); ok {
			x.maxTime = time.Duration(n) * time.Millisecond
		}
	default:
		c.unknown(e, expectKeys[:], "the case itself", caseKeys[:])
	}
}

func (c *Case) readDecision(x *expectation, e *tree.Node) {
	if !c.is(tree.String, e, "deny, ask, allow or none") { // null is not accepted here, because none is
		return
	}
	word := textOf(e)
	x.values[e.Key] = e
	if slices.Contains(decisions[:], word) {
		return
	}
	hint := shown.Hint("it is deny, ask, allow or none", "%q", word, decisions[:])
	if word == "block" {
		hint = "deny means it"
	}
	c.source.report(badValue, e.Start, fmt.Sprintf("unknown decision %q; %s", word, hint))
}

func (c *Case) integer(e *tree.Node, low, high int) (int, bool) {
	n, err := strconv.Atoi(e.Text)
	if e.Tag == tree.Float && err == nil && n >= low && n <= high {
		return n, true
	}
	is := kindOf(e)
	if e.Tag == tree.Float && len(e.Text) < 40 {
		is = e.Text
	}
	c.source.report(badValue, e.Start, fmt.Sprintf("%q is %s; it takes an integer from %d to %d", e.Key, is, low, high))
	return 0, false
}

func (c *Case) readExpectedFiles(x *expectation, e *tree.Node) {
	if !c.is(tree.Mapping, e, "a mapping of paths to regular expressions, or null for a file that must not be there") {
		return
	}
	for _, f := range e.Children {
		path, ok := c.local(f)
		if !ok {
			continue
		}
		if _, err := filepath.Match(path, ""); err != nil {
			c.source.report(badValue, f.Begin, fmt.Sprintf("%q is neither a path nor a pattern of paths", f.Key))
			continue
		}
		if p := c.pattern(f); p != nil {
			x.files = append(x.files, expectedFile{path, p})
		}
	}
}

// pattern reads a regular expression, or null; nil if it is wrong.
func (c *Case) pattern(e *tree.Node) *pattern {
	if e.Tag == tree.Null {
		return &pattern{}
	}
	if !c.is(tree.String, e, "a regular expression, or null for none; a number needs quotes") {
		return nil
	}
	source := textOf(e)
	if source == "" {
		c.source.report(badValue, e.Start, "an empty expression, which is found everywhere; remove the key, or write null for none")
		return nil
	}
	m, err := matcher.Compile("", source)
	if err != nil {
		var wrong *matcher.Error
		if errors.As(err, &wrong) {
			err = wrong.Err
		}
		c.source.report(badValue, e.Start, fmt.Sprintf("regular expression %q: %v", source, err))
		return nil
	}
	return &pattern{source, m}
}

// finds reports whether the text is as expected. undecided is "", or the reason why this could
// not be decided.
func (p *pattern) finds(text string) (found bool, undecided string) {
	if p.matcher == nil {
		return text == "", ""
	}
	r := p.matcher.Match(matcher.Subject{Values: []string{text}, Text: text})
	return r.Matched && r.Warning == "", r.Warning
}

// String describes the expected text.
func (p *pattern) String() string {
	if p.matcher == nil {
		return "none"
	}
	return "matches " + strconv.Quote(p.source)
}
