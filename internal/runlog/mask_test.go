package runlog

import "testing"

func TestMasked(t *testing.T) {
	for in, want := range map[string]string{
		"it contains ghp_0123456789abcdefghij, a token":               "it contains ghp_…, a token",
		"key=AKIAIOSFODNN7EXAMPLE;":                                   "key=AKIA…;",
		`"wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"`:                    `"wJal…"`,
		"Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.sig": "Bearer eyJh….eyJz….sig",
		"commit 0a952feb0a952feb0a952feb is no secret":                "commit 0a952feb0a952feb0a952feb is no secret",
		"sk-short, no-publish-on-fridays-2026":                        "sk-short, no-publish-on-fridays-2026",
		"DB_PASSWORD=hunter2 psql postgres://me:hunter2@db/x":         "DB_PASSWORD=… psql postgres://me:…@db/x",
		"the token: ask the user, key=v":                              "the token: ask the user, key=v",
		"Größe …":                                                     "Größe …",
	} {
		if got := Reason(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
