package exec

import "fmt"

// StartError is why a process could not be started (D38).
type StartError struct {
	Path  string // the program
	Cause string // the real cause in words, and how to mend it
	Err   error  // what the system said
}

// Error names the program and the cause.
func (e *StartError) Error() string { return fmt.Sprintf("cannot start %q: %s", e.Path, e.Cause) }

// Unwrap returns the system's error.
func (e *StartError) Unwrap() error { return e.Err }
