package trust

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
)

// FuzzRecord compares the reader of written records with encoding/json.
func FuzzRecord(f *testing.F) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 678, time.UTC)
	a, b := Review{strings.Repeat("a", 64), at}, Review{strings.Repeat("b", 64), at.Add(time.Hour)}
	for _, hooks := range [][]Hook{
		{}, {{".", "guard", false, []Review{a}}}, {{".", "guard", true, []Review{a, b}}, {"a/b", "é <&>", false, []Review{b}}},
	} {
		text, err := (&Record{recordVersion, "/home/me/project/.git", hooks}).encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		f.Add([]byte(strings.ReplaceAll(string(text), "trusted_at", "Trusted_at")))
		f.Add(append(text, text...))
		f.Add([]byte(strings.ReplaceAll(string(text), "T03", "t03")))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		w := written{rest: text}
		got := w.record()
		if w.other {
			return
		}
		var want Record
		if err := json.Unmarshal(text, &want); err != nil || !reflect.DeepEqual(*got, want) {
			t.Errorf("%q\nis read as %+v\nwant       %+v, %v", text, *got, want, err)
		}
	})
}

// TestWrittenRecord checks that a record as it is written needs no other reader.
func TestWrittenRecord(t *testing.T) {
	review := Review{strings.Repeat("a", 64), time.Now().UTC().Round(0)}
	r := &Record{recordVersion, "/home/me/project/.git", []Hook{{".", "guard", false, []Review{review, review}}, {"web", "other", true, []Review{review}}}}
	text, err := r.encode()
	if err != nil {
		t.Fatal(err)
	}
	w := written{rest: text}
	if got := w.record(); w.other || !reflect.DeepEqual(got, r) {
		t.Errorf("%s\nis read as %+v, in another form: %t", text, got, w.other)
	}
}
