package config

import "github.com/agent-hooks/agent-hooks/internal/tree"

// Recording reports whether the user's file enables the recording of events (D80). A project's file
// and the environment cannot.
func (c Config) Recording() bool {
	enabled, _ := get[bool](c.user().recording, "enabled")
	return enabled
}

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

func (r *reader) record(n *tree.Node) {
	if r.notManaged(n, "record") {
		r.table(n, "record", r.reading(&r.file.recording, "enabled", "dir", "keep"))
	}
}
