package pack

import (
	"slices"
	"strings"
	"testing"
)

func TestNewerTags(t *testing.T) {
	const commit = "1111111111111111111111111111111111111111"
	for ref, want := range map[string]string{
		"v1.2": "v1.10 v2", "refs/tags/v1.10": "v2", "v2": "", "main": "", "guards-1": "guards-2", commit: "v2", "v2-rc1": "",
	} {
		out := ""
		for _, tag := range []string{"v2", "v1.2", "v2-rc1", "guards-1", "guards-2", "v1.-1", "latest"} {
			out += "2222222222222222222222222222222222222222\trefs/tags/" + tag + "\n"
		}
		out += "3333333333333333333333333333333333333333\trefs/tags/v1.10\n" + commit + "\trefs/tags/v1.10^{}\n"
		if got := newerTags(out, ref); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("newer than %s: %q, want %q", ref, got, want)
		}
	}
}

func TestAtLeast(t *testing.T) {
	for version, want := range map[string]bool{
		"v1.2.0": true, "v1.10.0": true, "v2.0.0-rc1": true, "v1.1.9": false, "(devel)": false, "v0.0.0-20260102030405-abcdef012345": false, "": false,
	} {
		if got := AtLeast(version, "1.2"); got != want {
			t.Errorf("AtLeast(%q, 1.2) = %v, want %v", version, got, want)
		}
	}
	if AtLeast("v1.0.0", "unknown") {
		t.Error("a least version that cannot be read was reached")
	}
}
