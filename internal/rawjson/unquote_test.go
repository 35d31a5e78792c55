package rawjson

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func checkText(t *testing.T, quoted string) {
	t.Helper()
	var want string
	wantOK := len(quoted) > 0 && quoted[0] == '"' && json.Unmarshal([]byte(quoted), &want) == nil
	if got, ok := Text([]byte(quoted)); got != want || ok != wantOK {
		t.Errorf("%q: %q, %v; want %q, %v", quoted, got, ok, want, wantOK)
	}
}

var quotedStrings = []string{
	``, `"`, `""`, `"a"`, `"a`, `a"`, `"\"\\\/\b\f\n\r\t"`, `"\u00e9\u00E9"`, `"\ud83c\udf89"`, `"\uD83C\uDF89x"`,
	`"\ud83c"`, `"\ud83cx"`, `"\udf89\ud83c"`, `"\ud83c\u0041"`, `"\ud83c\ud83c\udf89"`, `"\ud83c\n"`, `"\u00"`, `"\u00g0"`,
	`"\q"`, `"\"`, `"\\"`, `"\u0000"`, `"\ufffd"`, "\"\n\"", "\"\x00\"", `"a"b"`, `1`, "\"\x7f\"", "\"\x1f\"",
}

func TestText(t *testing.T) {
	for _, quoted := range quotedStrings {
		checkText(t, quoted)
	}
}

func FuzzText(f *testing.F) {
	for _, quoted := range quotedStrings {
		f.Add(quoted)
	}
	f.Fuzz(func(t *testing.T, quoted string) {
		// Invalid UTF-8 is preserved, and white space is not part of a token.
		if utf8.ValidString(quoted) && (quoted == "" || !IsSpace(quoted[len(quoted)-1])) {
			checkText(t, quoted)
		}
	})
}
