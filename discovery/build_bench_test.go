package discovery

import (
	"fmt"
	"testing"

	"github.com/agent-hooks/agent-hooks/manifest"
	"github.com/agent-hooks/agent-hooks/spec"
)

func BenchmarkBuild(b *testing.B) {
	for _, count := range []int{10, 100, 1000} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			var user, project []*Hook
			for i := range count {
				name := fmt.Sprintf("hook-%d", i)
				h := manifest.Hook{Name: name, Trigger: spec.Events()[i%13].Event, Priority: i * 7 % 100}
				user = append(user, &Hook{Hook: h, Scope: UserScope, Folder: name, State: Active})
				h.Name = "own-" + name
				project = append(project, &Hook{Hook: h, Scope: ProjectScope, Folder: h.Name, State: Active})
			}
			b.ReportAllocs()
			for b.Loop() {
				build(user, project, func(*Hook) error { return nil }, func(string) bool { return false })
			}
		})
	}
}
