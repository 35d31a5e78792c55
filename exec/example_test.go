//go:build unix

package exec_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
)

func ExampleRun() {
	result := exec.Run(context.Background(), exec.Command{
		Path: "/bin/sh", Args: []string{"sh", "-c", "cat; echo oops >&2; exit 3"},
		Stdin:   strings.NewReader("hello\n"),
		Timeout: 10 * time.Second, MaxStdout: 1 << 10, MaxStderr: 1 << 10,
	})
	fmt.Printf("%d %q %q %v\n", result.Status, result.Stdout.Data, result.Stderr.Data, result.Err)
	// Output:
	// 3 "hello\n" "oops\n" <nil>
}

// A process ends at its timeout, whatever it does.
func ExampleRun_timeout() {
	result := exec.Run(context.Background(), exec.Command{
		Path: "/bin/sh", Args: []string{"sh", "-c", "trap '' TERM; sleep 60 & wait"},
		Timeout: 100 * time.Millisecond,
	})
	fmt.Println(result.TimedOut, result.Duration < 10*time.Second)
	// Output:
	// true true
}
