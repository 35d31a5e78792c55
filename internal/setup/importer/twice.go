package importer

import (
	"fmt"

	"github.com/agent-hooks/agent-hooks/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/install"
)

// FiresTwice finds imported hooks that run twice: the agent calls agent-hooks, and its settings
// still have the imported entries (D62).
func (s System) FiresTwice(c *install.Client, r install.Report) []install.Finding {
	a := agent.Find(c.Name)
	if a == nil || r.Entries == 0 {
		return nil
	}
	plan, err := s.Read(Selection{Agent: a})
	if err != nil {
		return nil // read errors are reported elsewhere
	}
	n, first := 0, ""
	for _, h := range plan.Hooks {
		if h.Existing {
			n, first = n+1, h.File
		}
	}
	if n == 0 {
		return nil
	}
	return []install.Finding{{
		Level: install.Warning,
		Text:  fmt.Sprintf("%s twice: imported, and still in the settings, such as %s", install.Count(n, "hook fires", "hooks fire"), first),
		Fix:   "agent-hooks import " + c.Name + " --move",
	}}
}
