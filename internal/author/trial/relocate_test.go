package trial

import (
	"strings"
	"testing"
)

func TestRelocate(t *testing.T) {
	moves := []Move{{"/home/dev", "/s/home"}, {"/home/dev/project", "/s/work"}, {"/", "/x"}, {"relative", "/y"}}
	for event, want := range map[string]string{
		`{"cwd":"/home/dev/project","x":1}`:                                 `{"cwd": "/s/work", "x": 1}`,
		`{"f": "/home/dev/project/a b"}`:                                    `{"f": "/s/work/a b"}`,
		`{"f": "cat /home/dev/.ssh/id x=/home/dev/project;"}`:               `{"f": "cat /s/home/.ssh/id x=/s/work;"}`,
		`{"f": "file:///home/dev/x"}`:                                       `{"f": "file:///s/home/x"}`,
		`{"/home/dev": [["/home/dev"]]}`:                                    `{"/s/home": [["/s/home"]]}`,
		`{"f": "/home/developer /mnt/home/dev /home/dev-x rel"}`:            `{"f": "/home/developer /mnt/home/dev /home/dev-x rel"}`,
		`{"f": "\u002fhome/dev"}`:                                           `{"f": "/s/home"}`,
		`{"f" : 1 , "g":"x"}`:                                               `{"f" : 1 , "g":"x"}`,
		`{"e":{},"l":[ ],"f":[{"g":"\u00e9 /home/dev"},null,-1.50e3]}`:      `{"e": {}, "l": [], "f": [{"g": "é /s/home"}, null, -1.50e3]}`,
		"{\"a\": \"\xff\", \"f\": \"/home/dev\"}":                           "{\"a\": \"\ufffd\", \"f\": \"/s/home\"}",
		strings.Repeat("[", 500) + `"/home/dev"` + strings.Repeat("]", 500): strings.Repeat("[", 500) + `"/s/home"` + strings.Repeat("]", 500),
		`{"f" : tru`: `{"f" : tru`,
	} {
		if got := string(Relocate([]byte(event), moves)); got != want {
			t.Errorf("%s: got %s, want %s", event, got, want)
		}
	}
}
