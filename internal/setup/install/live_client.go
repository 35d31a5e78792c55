package install

import (
	"context"
	"os"
	osexec "os/exec"
	"strings"
	"sync"
	"time"
)

// liveClient is an agent started by doctor --live. A nil liveClient was not started, and never
// ends.
type liveClient struct {
	done   chan struct{} // closed after it has ended
	err    error         // why; set before done is closed
	output tail
}

// clientGrace is the time that an agent has to exit after it is interrupted.
const clientGrace = 3 * time.Second

// startClient starts an agent, unless words is empty, and stops it when ctx ends. The agent
// cannot read the terminal.
func startClient(ctx context.Context, words []string, dir string) *liveClient {
	if words == nil {
		return nil
	}
	c := &liveClient{done: make(chan struct{})}
	cmd := osexec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = dir, &c.output, &c.output, clientGrace
	cmd.Cancel = func() error {
		if cmd.Process.Signal(os.Interrupt) == nil {
			return nil
		}
		return cmd.Process.Kill() // Windows has no interrupt signal
	}
	go func() {
		c.err = cmd.Run()
		close(c.done)
	}()
	return c
}

// exited returns a channel that is closed after the client has ended.
func (c *liveClient) exited() <-chan struct{} {
	if c == nil {
		return nil
	}
	return c.done
}

// ended reports whether the client has ended.
func (c *liveClient) ended() bool {
	select {
	case <-c.exited():
		return true
	default:
		return false
	}
}

// end waits for the client after its context has ended.
func (c *liveClient) end() {
	if c != nil {
		<-c.done
	}
}

// tail keeps the end of the data written to it. Safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const tailSize = 400

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	t.data = t.data[max(0, len(t.data)-tailSize):]
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(strings.ToValidUTF8(string(t.data), ""))
}
