package trust

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// someRecord is a record in its written form.
func someRecord(t testing.TB) string {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "trust"))
	if err != nil {
		t.Fatal(err)
	}
	r := &Record{Version: recordVersion, Repository: "/home/ä b/.git"}
	for i, name := range []string{"guard", "日本"} {
		r.add(".", name, (&Folder{Name: name}).Digest(), i > 0, time.Unix(int64(i), 0))
		r.add("sub/project", name, (&Folder{Name: "x"}).Digest(), false, time.Unix(1e9, 0))
	}
	r.add(".", "guard", (&Folder{Name: "y"}).Digest(), false, time.Now())
	var written []string
	if err := s.write(true, func() error { return s.writeRecord(r, &written) }); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(s.recordPath(recordID(r.Repository)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A written record can be read line by line, so that runs stay fast.
func TestRecordLines(t *testing.T) {
	text := someRecord(t)
	if !compareRecord(t, text) {
		t.Errorf("left to encoding/json:\n%s", text)
	}
	for cut := range text {
		if compareRecord(t, text[:cut]+text[cut+1:]) && !json.Valid([]byte(text[:cut]+text[cut+1:])) {
			t.Errorf("accepted without byte %d", cut)
		}
	}
}

// compareRecord reports whether text can be read line by line.
func compareRecord(t *testing.T, text string) bool {
	got, ok := readRecordLines(text)
	if !ok {
		return false
	}
	var want Record
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		t.Errorf("%q: accepted, and to encoding/json %v", text, err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%q (-json +lines)\n%s", text, d)
	}
	return true
}

func FuzzRecordLines(f *testing.F) {
	f.Add(someRecord(f))
	f.Add("{\n  \"version\": 2,\n  \"repository\": \"\\u003c\",\n  \"hooks\": [\n    {\n      \"project\": \"\",\n      \"hook\": \"\",\n      \"everywhere\": true,\n      \"reviews\": [\n" +
		"        {\n          \"digest\": \"\",\n          \"trusted_at\": \"2026-01-02T03:04:05,5+00:00\"\n        }\n      ]\n    }\n  ]\n}\n")
	f.Fuzz(func(t *testing.T, text string) { compareRecord(t, text) })
}
