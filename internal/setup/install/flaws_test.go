package install

import (
	"strconv"
	"strings"
	"testing"

	"github.com/agent-hooks/agent-hooks/internal/agent"
	"github.com/agent-hooks/agent-hooks/internal/setup/settings"
)

// TestFlaws compares what each agent is said to lose by a flaw of its file with what it ran (D151).
func TestFlaws(t *testing.T) {
	rows, tried := 0, map[string]bool{}
	for line := range strings.Lines(read(t, "testdata/flaws.tsv")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		name, version, flaw, ran := f[0], f[1], f[2], f[3]
		text, err := strconv.Unquote(f[4])
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		c := Find(name)
		rows++
		tried[name] = true
		if !strings.HasPrefix(c.Setup.Flaws.Tried, version+",") {
			t.Errorf("%s: tried with %s, but the table says %s", name, version, c.Setup.Flaws.Tried)
		}
		want := agent.LosesNothing
		switch lost := strings.Contains(text, "flawed") && !strings.Contains(ran, "flawed"); {
		case ran == "":
			want = agent.LosesFile
		case ran == "other":
			want = agent.LosesEvent
		case lost && !strings.HasPrefix(flaw, "matcher "): // a matcher that selects nothing loses nothing
			want = agent.LosesPart
		}
		got := agent.LosesNothing
		p := c.Places[0]
		if _, err := settings.Decode(p.Layout.Format, []byte(text)); err != nil {
			got = agent.LosesFile
		}
		for _, found := range c.Flaws(p.Layout, p.Plain, []byte(text)) {
			got = max(got, found.Loss)
		}
		if got != want && !(got == agent.LosesPart && !strings.Contains(text, "flawed")) { // nothing to lose in it
			t.Errorf("%s: %s: loses %d, but %q ran: want %d\n%s", name, flaw, got, ran, want, text)
		}
	}
	if rows < 200 {
		t.Errorf("only %d rows", rows)
	}
	for _, c := range All() {
		if c.Setup.Flaws.Tried != "" && !tried[c.Agent.Name] {
			t.Errorf("%s was tried, but has no row", c.Name)
		}
	}
}

// TestLoose checks the lines of comments and of trailing commas.
func TestLoose(t *testing.T) {
	for text, want := range map[string][2]int{
		`{"a": "// no", "b": "\",]"}`:     {0, 0},
		"{\n\"a\": 1, // c\n}":            {2, 2},
		"{\"a\": [1,\n/* c, */ 2\n, ]}":   {2, 3},
		"{\"a\": [1, /* ] */\n]}":         {1, 1},
		"// a\n{}":                        {1, 0},
		"{\"a\": \"\\\\\", \"b\": [1,2]}": {0, 0},
	} {
		comment, comma := settings.Loose([]byte(text))
		if comment != want[0] || comma != want[1] {
			t.Errorf("%q: %d, %d, want %v", text, comment, comma, want)
		}
	}
}
