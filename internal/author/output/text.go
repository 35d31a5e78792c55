package output

import "io"

// text is the report for people, which the command prints itself: it depends on the terminal.
type text struct{}

func (text) Write(_ io.Writer, r *Report) error { return r.Text() }
