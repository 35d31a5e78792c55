package suite

import (
	"slices"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/author/cases"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Select returns the suites that args name, or those of all hooks. reviewed returns the copy that is
// tested instead of a hook that was read from a path.
func Select(f *Finder, args []string, reviewed func(*discovery.Hook) *discovery.Hook) (suites []*Suite, diagnostics []spec.Diagnostic, err error) {
	var s selection
	if len(args) == 0 {
		for _, h := range f.Hooks {
			s.add(h, "")
		}
	}
	for _, arg := range args {
		found, err := f.Find(arg)
		if err != nil {
			return nil, nil, err
		}
		if len(found.Hooks) == 0 {
			return nil, nil, NoHookIn(arg)
		}
		diagnostics = append(diagnostics, found.Diagnostics...)
		for _, h := range found.Hooks {
			if found.ByPath {
				h = reviewed(h)
			}
			suite, ok := s.add(h, found.Case)
			if !ok {
				return nil, nil, f.NoCase(h, found.Case)
			}
			suite.Named = suite.Named || !found.Directory
		}
	}
	return s, diagnostics, nil
}

type selection []*Suite

// add adds a hook's cases or, if only is not "", the case with that name to the hook's suite. ok is
// false if there is no such case.
func (s *selection) add(h *discovery.Hook, only string) (suite *Suite, ok bool) {
	all, problems := cases.Read(h)
	i := slices.IndexFunc(*s, func(o *Suite) bool { return o.Hook.Dir == h.Dir })
	if i < 0 {
		i = len(*s)
		*s = append(*s, &Suite{Hook: h, Problems: problems})
	}
	suite = (*s)[i]
	if only == "" {
		suite.Cases, suite.All = all, true
		return suite, true
	}
	named := slices.DeleteFunc(all, func(c *cases.Case) bool { return c.Name != only })
	if !suite.All {
		suite.Cases = append(suite.Cases, named...)
	}
	return suite, len(named) > 0
}
