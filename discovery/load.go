package discovery

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/matcher"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Read reads the hooks of the directories. If there are managed hooks, the time for
// reading the others is limited (D82).
func Read(d Dirs, l Limits) Found {
	managed, diagnostics := readManaged(d.Managed, l.Only)
	users := reader{depth: front, scope: UserScope, only: l.Only}
	if d.Managed != "" {
		users.until = l.until()
	}
	user, more := readScope(d.User, users)
	diagnostics = append(diagnostics, more...)
	project, more := l.readProject(d.Project)
	found := Found{Managed: managed, User: user, Project: project, Diagnostics: append(diagnostics, more...)}
	if l.Review == nil {
		found.ParseAlike()
	}
	return found
}

// until returns the end of the time for reading a scope.
func (l Limits) until() time.Time {
	until := time.Now().Add(spec.MaxLoad)
	if !l.Until.IsZero() && l.Until.Before(until) {
		until = l.Until
	}
	return until
}

// readManaged reads the managed hooks (D82). What makes the directory unreadable
// or lets others than root change it is a hook that cannot run, on all events.
func readManaged(dir string, only spec.EventType) ([]*Hook, []spec.Diagnostic) {
	if dir == "" {
		return nil, nil
	}
	if err := paths.CheckRoot(dir); err != nil {
		return []*Hook{Unmanaged(dir, err)}, nil
	}
	opened, err := open(dir)
	if err != nil {
		return []*Hook{Unmanaged(dir, err)}, nil
	}
	opened.Close()
	managed, diagnostics := readScope(dir, reader{depth: front, scope: ManagedScope, only: only})
	for _, d := range diagnostics {
		if d.Severity == spec.Error {
			return append(managed, Unmanaged(dir, errors.New(d.String()))), diagnostics
		}
	}
	return managed, diagnostics
}

// Unmanaged returns a hook that stands for managed hooks, or their hooks.toml, that
// cannot be read or that others than root can change: a failure on every event.
func Unmanaged(path string, err error) *Hook {
	h := &Hook{Scope: ManagedScope, Folder: filepath.Base(path), Dir: path}
	h.Name = h.Folder
	h.distrust(fmt.Errorf("the managed hooks cannot be used: %w", err))
	return h
}

// certain reports whether only root can change a file of a managed hook. If not, nothing
// in it counts: its matcher could keep the hook from running (D132).
func (h *Hook) certain(path string) bool {
	err := paths.CheckRootIn(path)
	if err == nil || errors.Is(err, fs.ErrNotExist) && paths.Dangling(path) == nil { // removed meanwhile
		return true
	}
	h.distrust(err)
	h.report(permissionsProblem(h.Dir, err))
	return false
}

// distrust makes a managed hook a failure on every event, which denies.
func (h *Hook) distrust(err error) {
	h.State, h.Cause = Refused, shown.Line(err.Error())
	h.Timeout, h.OnFailure, h.OnFailureSet = spec.DefaultTimeout, manifest.Deny, true
}

// readProject reads the project's hooks, which are untrusted, in bounded time.
func (l Limits) readProject(dir string) ([]*Hook, []spec.Diagnostic) {
	project := reader{depth: front, scope: ProjectScope, until: l.until()}
	if l.Review == nil {
		project.only = l.Only
	} else {
		project.depth = peek // the reviewed copy runs instead
		project.unread = l.Review.Copies
		project.known = func(folder string) bool {
			return l.Review.Copies[folder] || l.Review.Others != nil && l.Review.Others()[folder]
		}
	}
	return readScope(dir, project)
}

// ReadScope reads the hooks in dir, in byte order of their folders' names (D3).
// If dir is "" or does not exist, there are none. The diagnostics report
// entries that are not hooks but may be meant as hooks: an unreadable dir,
// dangling links, and folders without a HOOK.md (a warning).
func ReadScope(dir string, scope Scope) ([]*Hook, []spec.Diagnostic) {
	return readScope(dir, reader{depth: front, scope: scope})
}

func readScope(dir string, r reader) ([]*Hook, []spec.Diagnostic) {
	if dir == "" {
		return nil, nil
	}
	if absolute, err := filepath.Abs(dir); err == nil {
		dir = absolute
	}
	opened, folders, skipped, err := r.list(dir)
	var diagnostics []spec.Diagnostic
	switch {
	case err != nil:
		diagnostics = scopeProblem(dir, err)
	case skipped > 0:
		diagnostics = []spec.Diagnostic{problem(dir, "scope-size", fmt.Sprintf("%d untrusted folders are skipped", skipped))}
	}
	if opened != nil {
		defer opened.Close()
	}
	r.from = opened
	hooks := make([]*Hook, 0, len(folders))
	taken := folderNames{}
	// Two folders can have the same name only if one is not ASCII: names are compared in NFKC.
	nonASCII := slices.ContainsFunc(folders, func(name string) bool { return !isASCII(name) })
	late := 0
	r.buffer = make([]byte, chunk)
	parent := withSeparator(dir)
	for i, folder := range folders {
		if !r.until.IsZero() && i%16 == 0 && time.Now().After(r.until) {
			late = len(folders) - i
			break
		}
		h, err := r.read(parent, folder)
		switch {
		case err == nil:
			if nonASCII {
				if first := taken.add(h); first != nil { // h is the later one (D6)
					h.report(problem(h.File, "name-taken", fmt.Sprintf("the folder %q has the same name; rename one of them", first.Folder)))
				}
			}
			hooks = append(hooks, h)
		case errors.Is(err, errEmpty) && h.Folder[0] != '.':
			// A hook's name cannot begin with a dot, but other folders such as
			// .git may.
			diagnostics = append(diagnostics, h.Diagnostics...)
		}
	}
	if r.only == "" {
		warnAlike(hooks)
	}
	if left := len(diagnostics) - maxProblems; left > 0 {
		diagnostics = append(diagnostics[:maxProblems], problem(dir, "left-out", fmt.Sprintf("%d more problems in its folders are not listed", left)))
	}
	if late > 0 {
		diagnostics = append(diagnostics, problem(dir, "scope-size",
			fmt.Sprintf("reading it took too long; %d folders are not read, and their hooks do not run", late)))
	}
	return hooks, diagnostics
}

// ParseAlike parses the hooks of which only the trigger was read (Limits.Only), and
// that have the same name as a hook in the other scope, because replacement is
// decided on parsed files (D74). If there is a Review, the caller of Read calls it after the copies
// have taken their places.
func (f Found) ParseAlike() {
	if len(f.User) == 0 || len(f.Project) == 0 {
		return
	}
	users, projects := namesOf(f.User), namesOf(f.Project)
	for _, h := range slices.Concat(f.User, f.Project) {
		if !h.skipped || users[h.key()] == nil || projects[h.key()] == nil {
			continue
		}
		parsed := ReadHook(h.Dir, h.Scope)
		for _, d := range h.Diagnostics { // the name-taken diagnostic is kept
			parsed.report(d)
		}
		parsed.Reviewed, parsed.Origin, parsed.Late = h.Reviewed, h.Origin, h.Late
		*h = *parsed
	}
}

// usable returns why a valid hook may not replace another, nil if it may (D6).
func (h *Hook) usable(path string) error {
	if _, err := matcher.Compile(h.Tool, h.Pattern); err != nil {
		return err
	}
	_, refused, err := h.Ready(path)
	return cmp.Or(refused, err)
}
