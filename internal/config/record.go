package config

// Recording reports whether the user's file enables the recording of events (D80). A project's file
// and the environment cannot.
func (c Config) Recording() bool {
	if c.User == nil {
		return false
	}
	enabled, _ := get[bool](c.User.recording, "enabled")
	return enabled
}

// LogsReasons reports whether the run log contains the reasons that hooks give for blocks and
// questions (D90). It does, unless the user's file says, or might mean to say, otherwise.
func (c Config) LogsReasons() bool { return c.User == nil || !c.User.quiet }

func (r *reader) log(n *node) {
	if !r.notManaged(n, "log") {
		return
	}
	var log entry
	r.table(n, "log", r.reading(&log, "reasons"))
	reasons, _ := get[bool](log, "reasons")
	r.file.quiet = r.file.quiet || len(n.members) != 0 && !reasons || n.members == nil
}

func (r *reader) record(n *node) {
	if r.notManaged(n, "record") {
		r.table(n, "record", r.reading(&r.file.recording, "enabled", "dir", "keep"))
	}
}
