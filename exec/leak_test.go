package exec

import (
	"runtime"
	"testing"
	"time"
)

// checkLeaks fails the test if it leaves a goroutine, descriptor or child.
func checkLeaks(t *testing.T) {
	t.Helper()
	time.AfterFunc(time.Hour, func() {}).Stop() // for its first timer, the runtime opens descriptors
	goroutines, descriptors := runtime.NumGoroutine(), countDescriptors()
	t.Cleanup(func() {
		if t.Failed() {
			return
		}
		eventually(t, "the end of all goroutines", func() bool { return runtime.NumGoroutine() <= goroutines })
		eventually(t, "the end of all children", func() bool { return !hasChild() })
		if n := countDescriptors(); n > descriptors {
			t.Errorf("%d descriptors are open, %d were", n, descriptors)
		}
	})
}
