package main

import (
	"runtime/debug"
	"slices"
	"testing"
)

func TestBill(t *testing.T) {
	info := &debug.BuildInfo{
		GoVersion: "go1.26.8",
		Main:      debug.Module{Path: "example.com/p", Version: "v1.0.0+dirty"},
		Deps: []*debug.Module{
			{Path: "example.com/a", Version: "v0.1.0", Sum: "h1:x"},
			{Path: "example.com/b", Version: "v0.2.0", Replace: &debug.Module{Path: "example.com/c", Version: "v0.3.0"}},
		},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}},
	}
	b := billOf(info)
	want := []string{"pkg:golang/stdlib@1.26.8", "pkg:golang/example.com/a@v0.1.0", "pkg:golang/example.com/c@v0.3.0"}
	if got := b.Dependencies[0].DependsOn; !slices.Equal(got, want) {
		t.Errorf("depends on %q, want %q", got, want)
	}
	if got := b.Metadata.Component; got.PURL != "pkg:golang/example.com/p@v1.0.0%2Bdirty" || len(got.Properties) != 1 {
		t.Errorf("program %+v", got)
	}
	if got := b.Components[1].Properties; len(got) != 1 || got[0].Value != "h1:x" {
		t.Errorf("properties %v", got)
	}
}
