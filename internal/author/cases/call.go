package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/author/trial"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Call is a call of a tool, of which New makes a case.
type Call struct {
	Agent    *agent.Agent
	Payload  []byte // what the agent's hook before the call got
	Dir      string // the agent's working directory, which becomes {{work_dir}}
	Home     string // of the user, which becomes {{home}}
	Comment  string // one line; may contain any characters
	Decision string // of the hook: deny, ask, allow or none
	Input    []byte // that the hook asked for instead; nil: none
}

// New returns a case of a hook that is not a file yet. It has only the parts of the payload that say
// what is called and where: no sessions, transcripts or identifiers. dir is the hook's folder
// in which Create writes it.
func New(hook *discovery.Hook, dir, name string, c Call) (*Case, error) {
	n := &Case{Hook: hook, Name: name, Path: filepath.Join(dir, Folder, name+".yaml")}
	payload := (&source{bytes: c.moved(c.Payload)}).parseJSON()
	if payload == nil {
		return nil, errors.New("its event cannot be read")
	}
	event, from := mapping(), c.Agent.Name
	for _, e := range payload.Children {
		switch e.Key {
		case c.Agent.NameField(), "cwd", "permission_mode", "mcp_context", "tool_name", "tool_input":
			set(event, e.Key, requoted(e))
		}
	}
	if event.Member(c.Agent.NameField()) == nil {
		from += "/" + c.Agent.EventFor(spec.PreToolCall).Name
	}
	expect := mapping("decision", stringValue(c.Decision))
	if c.Input != nil {
		input := (&source{bytes: c.moved(c.Input)}).parseJSON()
		if input == nil {
			return nil, errors.New("the hook's input cannot be read")
		}
		set(expect, "modified_input", requoted(input))
	}
	want := mapping("agent", stringValue(from), "event", event, "expect", expect)
	text := "# " + strings.Trim(tree.JSON(c.Comment), `"`) + "\n" + block(want, "", 3)
	n = n.with([]byte(text))
	if len(n.Diagnostics) > 0 {
		return nil, errors.New(n.Diagnostics[0].Message)
	}
	if !same(n.root, want) {
		return nil, errors.New("its event cannot be written as YAML")
	}
	return n, nil
}

// with returns the case with another text.
func (c *Case) with(text []byte) *Case {
	n := &Case{Hook: c.Hook, Name: c.Name, Path: c.Path, source: &source{path: c.Path}}
	n.parse(text, nil)
	n.Diagnostics = n.source.problems()
	return n
}

// moved returns JSON with the paths of the working directory and the home directory replaced.
func (c Call) moved(raw []byte) []byte {
	return trial.Relocate(raw, []trial.Move{{From: c.Dir, To: workDir}, {From: c.Home, To: homeDir}})
}

// block returns the members of an object as lines of YAML, and objects in it in the same way down to a
// depth.
func block(v *tree.Node, indent string, depth int) string {
	var b strings.Builder
	for _, e := range v.Children {
		b.WriteString(indent + tree.YAML(e.Key) + ":")
		switch {
		case e.Tag == tree.Mapping && len(e.Children) > 0 && depth > 1:
			b.WriteString("\n" + block(e, indent+"  ", depth-1))
		case e.Tag == tree.String:
			b.WriteString(" " + tree.YAML(textOf(e)) + "\n")
		default:
			b.WriteString(" " + string(encode(e)) + "\n")
		}
	}
	return b.String()
}

// Create writes the file of a new case. It replaces no file, and follows no link in the hook's
// folder.
func (c *Case) Create() error {
	dir := filepath.Dir(c.Path)
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("%s is not a directory", dir)
	}
	for _, ending := range []string{".json", ".yaml", ".yml"} {
		if _, err := os.Lstat(filepath.Join(dir, c.Name+ending)); err == nil {
			return fmt.Errorf("%s exists; nothing was written", filepath.Join(dir, c.Name+ending))
		}
	}
	f, err := os.OpenFile(c.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(c.source.bytes)
	if err == nil {
		err = f.Close()
	} else {
		f.Close()
	}
	if err != nil {
		os.Remove(c.Path)
	}
	return err
}

// Source returns the case's file as it was read.
func (c *Case) Source() []byte { return c.source.bytes }
