package runlog

import "golang.org/x/sys/windows"

// System adds an entry to the system's log, which a user cannot change: syslog's authpriv.notice,
// or Windows's application log. It never waits: a log that is absent or busy loses the line.
func System(e Entry) {
	if line, err := encode(e); err == nil {
		_ = report("agent-hooks", string(line[:len(line)-1]))
	}
}

// report adds a line to the application log.
func report(source, line string) error {
	const event = 1
	name, err := windows.UTF16PtrFromString(source)
	if err != nil {
		return err
	}
	text, err := windows.UTF16PtrFromString(line)
	if err != nil {
		return err
	}
	log, err := windows.RegisterEventSource(nil, name)
	if err != nil {
		return err
	}
	defer windows.DeregisterEventSource(log)
	return windows.ReportEvent(log, windows.EVENTLOG_WARNING_TYPE, 0, event, 0, 1, 0, &text, nil)
}
