//go:build unix

package exec

import (
	"testing"
	"time"
)

// TestNoProcessDescriptor waits for a process on a system without process
// descriptors.
func TestNoProcessDescriptor(t *testing.T) {
	checkLeaks(t)
	p, err := startProcess("/bin/sh", []string{"sh", "-c", "exit 7"}, "", nil, [3]int{0, 1, 2}, tied())
	if err != nil {
		t.Fatal(err)
	}
	s := &streams{stdin: -1}
	for i := range s.polled {
		s.polled[i].Fd = -1
	}
	s.polled[exitPlace].Fd = int32(p.exitPipe())
	if n := s.wait(time.Now().Add(10*time.Second), false); !n.exited {
		t.Error("its end was not reported")
	}
	s.close()
	if status, _, err := p.reap(); status != 7 || err != nil {
		t.Errorf("status %d, %v", status, err)
	}
}
