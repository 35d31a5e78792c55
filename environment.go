package agenthooks

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

// ProgramVariable is the environment variable that holds the path of the
// agent-hooks program.
const ProgramVariable = "AGENT_HOOKS_PROGRAM"

// variables returns the AGENT_HOOKS_ variables for one hook (D22). A value that
// is too large or that an environment cannot hold is omitted with a warning.
func (p *Plan) variables(row *Row) (vars, warnings []string) {
	for _, v := range []struct{ name, value string }{
		{"AGENT_HOOKS_EVENT", string(p.Event.Type)},
		{"AGENT_HOOKS_HOOK", row.Hook.Name},
		{"AGENT_HOOKS_HOOK_DIR", row.Hook.Dir},
		{"AGENT_HOOKS_PROJECT_DIR", p.hooks.Project.Root},
		{"AGENT_HOOKS_WORK_DIR", p.WorkDir},
		{"AGENT_HOOKS_SESSION_ID", p.Event.SessionID},
		{"AGENT_HOOKS_AGENT", p.hooks.agent},
		{"AGENT_HOOKS_DEPTH", strconv.Itoa(p.hooks.depth + 1)},
		{ProgramVariable, p.hooks.program},
	} {
		switch {
		case v.name == ProgramVariable && v.value == "":
		case strings.ContainsRune(v.value, 0):
			warnings = append(warnings, fmt.Sprintf("%s is left out: its value has a NUL byte", v.name))
		case len(v.value) > spec.MaxEnvValue:
			warnings = append(warnings, fmt.Sprintf("%s is left out: its value is above 4 KiB", v.name))
		default:
			vars = append(vars, v.name+"="+v.value)
		}
	}
	return append(vars, "PWD="+p.WorkDir), warnings
}
