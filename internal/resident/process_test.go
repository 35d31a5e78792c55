package resident

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/script"
)

// broken is a dialog whose refusals cannot be read from a line.
type broken struct{}

func (broken) Hello(t script.Talk, _ string) error { return nil }
func (broken) Notifies() bool                      { return false }
func (broken) Refusal(results [][]byte, line []byte) []byte {
	if string(line) == "no answer" {
		panic("injected")
	}
	return nil
}
func (broken) Converse(t script.Talk) ([]byte, error) { return t.Ask("event", []byte("{}")) }

// TestMistakeInReading checks that a mistake in reading a process's output fails the
// hook that waits for it, and nothing else.
func TestMistakeInReading(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	h := &Hook{Name: "h", Dialog: broken{}, Command: exec.Command{
		Path: "/bin/sh", Args: []string{"sh", "-c", "while read -r line; do echo no answer; done"}, Dir: t.TempDir(), Timeout: 10 * time.Second, MaxStdout: 1 << 10,
	}}
	if _, err := Once(ctx, h); err == nil || !strings.Contains(err.Error(), "internal error: injected") {
		t.Errorf("%v", err)
	}
}
