package protocol

import (
	"io"
	"testing"

	"github.com/agent-hooks/agent-hooks/spec"
)

func BenchmarkEvent(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"1KiB", 1 << 10}, {"1MiB", 1 << 20}} {
		raw := bigEvent(size.bytes)
		b.Run("write/"+size.name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				e, _ := ParseEvent(spec.PreToolCall, raw, now)
				_, _ = e.WriteTo(io.Discard)
			}
		})
		b.Run("input/"+size.name, func(b *testing.B) {
			b.SetBytes(int64(len(raw)))
			b.ReportAllocs()
			for b.Loop() {
				e, _ := ParseEvent(spec.PreToolCall, raw, now)
				_ = e.Input()
			}
		})
	}
}

func BenchmarkDecodeAnswer(b *testing.B) {
	stdout := []byte(`{"decision": "deny", "reason": "rm -rf is blocked"}` + "\n")
	b.ReportAllocs()
	for b.Loop() {
		_, _, _ = DecodeAnswer(stdout)
	}
}
