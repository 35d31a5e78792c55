package place

import (
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
// directory. event may be nil.
func Candidates(project string, variables []string, lookup func(string) (value string, set bool), event *protocol.Event, process Candidate) []Candidate {
	var candidates []Candidate
	if project != "" {
		candidates = append(candidates, Candidate{Option, "--project", paths.Named(project)})
	}
	for _, name := range variables {
		if value, set := lookup(name); set {
			candidates = append(candidates, Candidate{Variable, name, paths.Named(value)})
		}
	}
	if event != nil {
		for _, r := range event.Roots {
			candidates = append(candidates, Candidate{Event, r.Key, paths.Named(r.Dir)})
		}
	}
	return append(candidates, process)
}
