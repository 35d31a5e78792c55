package place

import (
	"path/filepath"
	"slices"

	"github.com/agent-hooks/agent-hooks/internal/paths"
	"github.com/agent-hooks/agent-hooks/protocol"
)

var hostVariables = [...]string{
	"CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR", "QWEN_PROJECT_DIR",
	"FACTORY_PROJECT_DIR", "DEVIN_PROJECT_DIR", "CRUSH_PROJECT_DIR", "GROK_WORKSPACE_ROOT",
}

// HostVariables returns the environment variables in which agents pass the
// project directory, in order of precedence (D2). It must not be modified.
func HostVariables() []string { return hostVariables[:] }

// Candidates returns the directories from which to search for the project, in
// order of precedence (D2): project, unless it is ""; the values of the host's
// variables; the event's directories; process, for the process's own
// directory. event may be nil. In a workspace with several roots, the one that the
// call works in takes the place of the first, and of a variable that names a root.
func Candidates(project string, variables []string, lookup func(string) (value string, set bool), event *protocol.Event, process Candidate) []Candidate {
	var candidates []Candidate
	if project != "" {
		candidates = append(candidates, Candidate{Option, "--project", paths.Named(project)})
	}
	if event == nil {
		event = &protocol.Event{}
	}
	own, others := roots(event)
	for _, name := range variables {
		value, set := lookup(name)
		switch {
		case set && isRoot(value, event):
			candidates = append(candidates, Candidate{Variable, own.Key, own.Dir})
		case set:
			candidates = append(candidates, Candidate{Variable, name, paths.Named(value)})
		}
	}
	for _, r := range event.Roots {
		if own.Key != "" && r.Key == event.Workspace[0].Key {
			r = own
		}
		candidates = append(candidates, Candidate{Event, r.Key, paths.Named(r.Dir)})
	}
	for _, r := range others {
		candidates = append(candidates, Candidate{Beside, r.Key, paths.Named(r.Dir)})
	}
	return append(candidates, process)
}

// roots returns the root of a workspace that the call works in, the innermost or, if there is none,
// the first, and the others.
func roots(event *protocol.Event) (own protocol.NamedDir, others []protocol.NamedDir) {
	if len(event.Workspace) == 0 {
		return own, nil
	}
	own = event.Workspace[0]
	length := 0
	for _, dir := range event.WorkDirs {
		if dir.Dir == "" {
			continue
		}
		physical := paths.Physical(paths.Named(dir.Dir))
		for _, r := range event.Workspace {
			if root := paths.Physical(paths.Named(r.Dir)); filepath.IsAbs(root) && paths.Contains(root, physical) && len(root) > length {
				own, length = r, len(root)
			}
		}
		if length > 0 {
			break
		}
	}
	own.Dir = paths.Named(own.Dir)
	for _, r := range event.Workspace {
		if r.Key != own.Key {
			others = append(others, r)
		}
	}
	return own, others
}

// isRoot reports whether a directory is a root of the event's workspace.
func isRoot(dir string, event *protocol.Event) bool {
	return len(event.Workspace) > 0 && slices.ContainsFunc(event.Workspace, func(r protocol.NamedDir) bool {
		return paths.Physical(paths.Named(r.Dir)) == paths.Physical(paths.Named(dir))
	})
}
