package config

import "github.com/agent-hooks/agent-hooks/internal/tree"

// LogsReasons reports whether the run log contains the reasons that hooks give for blocks and
// questions (D90). It does, unless the user's file says, or might mean to say, otherwise.
func (c Config) LogsReasons() bool { return !c.user().quiet }

func (r *reader) log(n *tree.Node) {
	if !r.notManaged(n, "log") {
		return
	}
	var log entry
	r.table(n, "log", r.reading(&log, "reasons"))
	reasons, _ := get[bool](log, "reasons")
	r.file.quiet = r.file.quiet || n.Tag != tree.Mapping || len(n.Children) != 0 && !reasons
}
