package runlog

import (
	"os/exec"
	"testing"
)

// TestSystem checks that Wine takes the longest line for its application log. No test writes to the
// log of a Windows that people use. With WINEDEBUG=+eventlog, Wine prints the line.
func TestSystem(t *testing.T) {
	if _, err := exec.LookPath("wineboot"); err != nil {
		t.Skip("the log is that of a real Windows")
	}
	line := make([]byte, maxLine)
	for i := range line {
		line[i] = 'h'
	}
	if err := report("agent-hooks test", string(line)); err != nil {
		t.Error(err)
	}
}
