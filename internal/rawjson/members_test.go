package rawjson

import "testing"

// TestMalformed checks that each malformed value is rejected, by the functions
// that read its top level and by those that read all of it.
func TestMalformed(t *testing.T) {
	for _, text := range []string{
		`{"\q":1}`, `{"a\u00g0":1}`, `{a:1}`, `{"a" 1}`, `{"a"}`, `{"a"`, `{"a":}`, `{"a":,"b":1}`, `{"a":1 "b":2}`, `{"a":1;"b":2}`, `{"a":1,}`,
		`{"a";1}`, `{"a":"x";"b":2}`, `["x";1]`, `[,]`, `[1 2]`, `[1;2]`, `[1,]`, `[tru]`, `[01]`,
	} {
		value := []byte(text)
		var err error
		if value[0] == '{' {
			err = Members(value, func(string, []byte) bool { return true })
		} else {
			err = Elements(value, func([]byte) bool { return true })
		}
		if err == nil {
			t.Errorf("%s has members", text)
		}
		if Valid(value) {
			t.Errorf("%s is valid", text)
		}
	}
	each := func(element []byte) bool { t.Errorf("an element %s", element); return true }
	if Elements([]byte(`{"a":1}`), each) == nil || Members([]byte(`[1]`), func(_ string, v []byte) bool { return each(v) }) == nil {
		t.Error("an object is an array")
	}
}

func TestEscapeInvisible(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":"é 字 😀"}`: `{"a":"é 字 😀"}`, "{\"a\":\"x\u202ey\u009b\u2028\"}\n": `{"a":"x\u202ey\u009b\u2028"}` + "\n",
		"\"\U000e0001\"": `"\udb40\udc01"`, "\"\xff\"": "\"\xff\"", "\"\u202e": `"\u202e`,
	} {
		if got := string(EscapeInvisible([]byte(text))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
