package trust

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
)

// A project's path is linked to its records, so that they are found even after its .git is
// moved, replaced or removed (D40). The file paths/HASH contains the path, and on each further
// line a record and the project's place in it.

// ref is a project's place in a record of the store.
type ref struct{ id, project string }

func (p Place) ref() ref { return ref{recordID(p.Repository), p.Project} }

// The limits of a file in paths.
const (
	maxPathFile = 256 << 10 // bytes
	maxRefs     = 16        // the most recent ones are kept
)

func (s *Store) pathFile(root string) string {
	return s.dir + separator + "paths" + separator + pathID(root)
}

// refs returns the places in records to which a project's path is linked, most recent last.
func (s *Store) refs(root string) ([]ref, error) {
	path := s.pathFile(root)
	b, _, err := paths.Read(path, maxPathFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, shown.Cause(err))
	}
	refs, ok := parseRefs(string(b), root)
	if !ok {
		return nil, fmt.Errorf("%s: was not written by this program", path)
	}
	return refs, nil
}

func parseRefs(text, root string) (refs []ref, ok bool) {
	lines := strings.Split(text, "\n")
	if len(lines) < 3 || len(lines) > maxRefs+2 || lines[len(lines)-1] != "" || lines[0] != encodePath(root) {
		return nil, false
	}
	for _, line := range lines[1 : len(lines)-1] {
		id, project, _ := strings.Cut(line, " ")
		project, err := decodePath(project)
		if err != nil || len(id) != 32 || strings.Trim(id, "0123456789abcdef") != "" || project == "" {
			return nil, false
		}
		refs = append(refs, ref{id, project})
	}
	return refs, true
}

// linkPath links a project's path to its place in a record.
func (s *Store) linkPath(root string, to ref) error {
	refs, _ := s.refs(root) // an unreadable file is replaced
	if slices.Contains(refs, to) {
		return nil
	}
	refs = append(refs, to)
	var b strings.Builder
	b.WriteString(encodePath(root) + "\n")
	for _, r := range refs[max(0, len(refs)-maxRefs):] {
		b.WriteString(r.id + " " + encodePath(r.project) + "\n")
	}
	if b.Len() > maxPathFile {
		return fmt.Errorf("the path of the project is too long to be recorded")
	}
	return s.replace(stored{s.pathFile(root), []byte(b.String())})
}
