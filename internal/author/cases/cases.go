// Package cases reads and runs the test cases of hooks (D13): files in a hook's folder tests,
// each with an event and the expected result of the hook.
//
// A case runs only the hook's own script, using package trial, with a scratch work dir and a
// scratch home. Package protocol interprets the hook's exit, as always. The package prints
// nothing; it writes files only when Create is called.
package cases

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/rawjson"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/tree"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Folder is the name of the folder with a hook's cases, in the hook's folder.
const Folder = "tests"

const (
	maxFile  = 1 << 20 // bytes of a case
	maxCases = 1000    // of a hook
)

// Case is one test case.
type Case struct {
	Hook        *discovery.Hook
	Name        string // of its file, without the extension; printable
	Path        string // of its file
	Description string // "" if it has none

	// Diagnostics are the errors in the file. A case with errors does not run and fails.
	Diagnostics []spec.Diagnostic

	source *source
	root   *tree.Node // nil: the file cannot be read
	stage  stage
	event  eventSource
	expect *expectation // nil: the case has none
}

// Read reads the cases of a hook, in byte order of their file names. The diagnostics are those
// of the folder itself.
func Read(hook *discovery.Hook) ([]*Case, []spec.Diagnostic) {
	dir := filepath.Join(hook.Dir, Folder)
	entries, err := os.ReadDir(dir)
	if err != nil {
		if _, gone := os.Lstat(dir); errors.Is(gone, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, []spec.Diagnostic{folderProblem(dir, fmt.Sprintf("cannot be read: %v", shown.Cause(err)))}
	}
	var cases []*Case
	var problems []spec.Diagnostic
	for _, e := range entries {
		if e.IsDir() || !IsCase(e.Name()) {
			continue
		}
		if len(cases) == maxCases {
			problems = append(problems, folderProblem(dir, fmt.Sprintf("more than %d cases, so none of them runs", maxCases)))
			break
		}
		c := read(hook, strings.TrimSuffix(e.Name(), filepath.Ext(e.Name())), filepath.Join(dir, e.Name()))
		if slices.ContainsFunc(cases, func(o *Case) bool { return o.Name == c.Name }) { // they could not be distinguished
			c.source.reportFile(fmt.Sprintf("a second case %q; rename one of the files", c.Name))
			c.Diagnostics = c.source.problems()
		}
		cases = append(cases, c)
	}
	return cases, problems
}

// IsCase reports whether a file of that name in the folder is a case.
func IsCase(file string) bool {
	ending := filepath.Ext(file)
	return strings.Trim(file, ".") != strings.TrimPrefix(ending, ".") && file[0] != '.' && file[0] != '#' && slices.Contains([]string{".json", ".yaml", ".yml"}, ending)
}

func folderProblem(dir, message string) spec.Diagnostic {
	return spec.Diagnostic{Path: dir, Severity: spec.Error, Code: badFile, Message: message}
}

// read reads one case.
func read(hook *discovery.Hook, name, path string) *Case {
	c := &Case{Hook: hook, Name: name, Path: path, source: &source{path: path}}
	text, _, err := paths.Read(path, maxFile)
	c.parse(text, err)
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		c.source.reportFile("a name with characters that cannot be printed; rename the file")
	}
	c.Diagnostics = c.source.problems()
	spec.SortDiagnostics(c.Diagnostics)
	return c
}

func (c *Case) parse(all []byte, err error) {
	c.source.bytes = bytes.TrimPrefix(all, []byte(rawjson.ByteOrderMark))
	switch {
	case err != nil:
		c.source.reportFile(shown.Cause(err).Error())
		return
	case len(all) > maxFile:
		c.source.reportFile("the file is above 1 MiB; shorten the event, and create large files in `setup`")
		return
	}
	if at := tree.FirstInvalid(c.source.bytes); at < len(c.source.bytes) {
		c.source.report(badFile, at, "a byte that is not UTF-8; save the file as UTF-8")
		return
	}
	if filepath.Ext(c.Path) == ".json" {
		c.root = c.source.parseJSON()
	} else {
		c.root = c.source.parseYAML()
	}
	if c.root != nil {
		c.readKeys()
	}
}
