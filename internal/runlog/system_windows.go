package runlog

import "golang.org/x/sys/windows"

// System adds an entry to the system's log, which a user cannot change: syslog's authpriv.notice,
// or Windows's application log. It never waits: a log that is absent or busy loses the line.
func System(e Entry) {
	const event = 1
	line, err := encode(e)
	if err != nil {
		return
	}
	source, err := windows.UTF16PtrFromString("agent-hooks")
	if err != nil {
		return
	}
	text, err := windows.UTF16PtrFromString(string(line[:len(line)-1]))
	if err != nil {
		return
	}
	log, err := windows.RegisterEventSource(nil, source)
	if err != nil {
		return
	}
	defer windows.DeregisterEventSource(log)
	_ = windows.ReportEvent(log, windows.EVENTLOG_WARNING_TYPE, 0, event, 0, 1, 0, &text, nil)
}
