package cases

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/tree"
)

// caseKeys are the keys of a case, expectKeys those of its expect.
var (
	caseKeys   = [...]string{"description", "agent", "event", "sample", "patch", "copy", "files", "setup", "env", "expect"}
	expectKeys = [...]string{"fires", "exit", "decision", "reason", "modified_input", "updated_output", "context", "message", "failure", "files", "max_ms"}
)

// stage describes the files and the environment when the hook starts.
type stage struct {
	copied []string // paths in the project, with slashes and wildcards
	files  []file
	setup  string
	env    []variable
}

type file struct{ path, content string } // path is local, with the system's separators

// variable is an environment variable; unset removes it.
type variable struct {
	name, value string
	unset       bool
}

// RunsCommands reports whether the case itself runs commands, whatever its hook does.
func (c *Case) RunsCommands() bool { return c.stage.setup != "" }

// readKeys reads the keys of the file.
func (c *Case) readKeys() {
	if c.root.Tag == tree.Null && filepath.Ext(c.Path) != ".json" {
		c.root = mapping() // an empty file is an empty case
	}
	if c.root.Tag != tree.Mapping {
		c.source.report(badFile, c.root.Start, fmt.Sprintf("%s instead of a mapping; write lines of the form `key: value`", kindOf(c.root)))
		return
	}
	for _, e := range c.root.Children {
		c.readKey(e)
	}
	c.readEvent()
}

func (c *Case) readKey(e *tree.Node) {
	switch e.Key {
	case "description":
		c.Description = c.text(e, "a string")
	case "agent", "event", "sample", "patch": // readEvent
	case "copy":
		c.readCopy(e)
	case "files":
		c.readFiles(e)
	case "setup":
		c.stage.setup = c.text(e, "a script for sh")
	case "env":
		c.readEnv(e)
	case "expect":
		c.readExpect(e)
	default:
		c.unknown(e, caseKeys[:], "expect", expectKeys[:])
	}
}

// unknown reports a key that is not in keys. The keys in innerKeys belong below the key inner.
func (c *Case) unknown(e *tree.Node, keys []string, inner string, innerKeys []string) {
	hint := shown.Hint("the keys here are "+strings.Join(keys, ", "), "%q", e.Key, keys)
	if means := otherName(e.Key); slices.Contains(keys, means) {
		hint = fmt.Sprintf("did you mean %q?", means)
	}
	if slices.Contains(innerKeys, e.Key) {
		hint = fmt.Sprintf("it belongs under %q", inner)
	}
	c.source.report(badKey, e.Begin, fmt.Sprintf("unknown key %q; %s", e.Key, hint))
}

// otherName returns the key that has the given name in hooks' answers, in reports or in agents;
// "" if there is none.
func otherName(key string) string {
	switch key {
	case "additional_context", "additionalContext":
		return "context"
	case "system_message", "systemMessage":
		return "message"
	case "exit_status", "exit_code", "status":
		return "exit"
	case "updated_input", "updatedInput":
		return "modified_input"
	case "fired", "matches", "matched":
		return "fires"
	case "environment":
		return "env"
	}
	return ""
}

// wrong reports a value of the wrong type.
func (c *Case) wrong(e *tree.Node, want string) {
	c.source.report(badValue, e.Start, fmt.Sprintf("%q is %s; it takes %s", e.Key, kindOf(e), want))
}

// is reports whether a value is of a type. If not, it reports what the key takes.
func (c *Case) is(tag string, e *tree.Node, want string) bool {
	if e.Tag != tag {
		c.wrong(e, want)
	}
	return e.Tag == tag
}

// text reads a string; "" if it is not one. A number, or a word that YAML does not read as a
// string, is an error: the value would differ from the written text.
func (c *Case) text(e *tree.Node, want string) string {
	if !c.is(tree.String, e, want) {
		return ""
	}
	return textOf(e)
}

func (c *Case) readFiles(e *tree.Node) {
	if !c.is(tree.Mapping, e, "a mapping of paths to contents") {
		return
	}
	for _, f := range e.Children {
		if path, ok := c.local(f); ok {
			c.stage.files = append(c.stage.files, file{path, c.text(f, "the file's content as a string")})
		}
	}
}

// local reads a path inside the work dir.
func (c *Case) local(f *tree.Node) (string, bool) {
	path := filepath.FromSlash(f.Key)
	if !filepath.IsLocal(path) || filepath.Clean(path) == "." || strings.ContainsRune(path, 0) || strings.HasSuffix(f.Key, "/") {
		c.source.report(badValue, f.Begin, fmt.Sprintf("%q is not the path of a file inside the work dir; write it without a leading / and without ..", f.Key))
		return "", false
	}
	return path, true
}

func (c *Case) readEnv(e *tree.Node) {
	if !c.is(tree.Mapping, e, "a mapping of names to values") {
		return
	}
	for _, v := range e.Children {
		switch value := textOf(v); {
		case v.Key == "" || strings.ContainsAny(v.Key, "=\x00"):
			c.source.report(badValue, v.Begin, fmt.Sprintf("%q is not the name of a variable", v.Key))
		case v.Tag == tree.Mapping || v.Tag == tree.List:
			c.wrong(v, "a string, or null to unset it")
		case strings.ContainsRune(value, 0):
			c.source.report(badValue, v.Start, "a NUL character, which no variable can contain")
		default:
			c.stage.env = append(c.stage.env, variable{v.Key, value, v.Tag == tree.Null})
		}
	}
}
