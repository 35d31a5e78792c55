package output

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

// junit is the XML that CI servers read: a group is a testsuite, a check a testcase.
type junit struct{}

func (junit) Write(w io.Writer, r *Report) error {
	var groups strings.Builder
	var all counts
	for _, g := range r.Groups {
		all.add(writeGroup(&groups, g))
	}
	_, err := fmt.Fprintf(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"agent-hooks\" tests=\"%d\" failures=\"%d\" errors=\"%d\" time=\"%.3f\">\n%s</testsuites>\n",
		all.tests, all.failures, all.errors, r.Took.Seconds(), groups.String())
	return err
}

type counts struct{ tests, failures, errors int }

func (c *counts) add(o counts) {
	c.tests, c.failures, c.errors = c.tests+o.tests, c.failures+o.failures, c.errors+o.errors
}

func writeGroup(b *strings.Builder, g Group) counts {
	var took time.Duration
	c := counts{tests: len(g.Checks) + g.Missing}
	for _, check := range g.Checks {
		took += check.Took
		switch check.Outcome {
		case Failed:
			c.failures++
		case Broken:
			c.errors++
		}
	}
	name := xmlText(g.Name)
	fmt.Fprintf(b, "  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n",
		name, c.tests, c.failures, c.errors, g.Missing, took.Seconds())
	for _, check := range g.Checks {
		writeCheck(b, name, check)
	}
	b.WriteString("  </testsuite>\n")
	return c
}

func writeCheck(b *strings.Builder, group string, c Check) {
	fmt.Fprintf(b, "    <testcase classname=\"%s\" name=\"%s\"", group, xmlText(c.Name))
	if c.File != "" {
		fmt.Fprintf(b, " file=\"%s\" time=\"%.3f\"", xmlText(c.File), c.Took.Seconds())
	}
	b.WriteString(">")
	if c.Outcome == Passed {
		b.WriteString("</testcase>\n")
		return
	}
	switch c.Outcome {
	case Stopped:
		b.WriteString("\n      <skipped message=\"stopped\"/>")
	case Broken:
		fmt.Fprintf(b, "\n      <error message=\"%s\">%s</error>", xmlText(c.Title), xmlText(c.Text))
	default:
		fmt.Fprintf(b, "\n      <failure message=\"%s\">%s</failure>", xmlText(c.Title), xmlText(c.Text))
	}
	for _, stream := range []struct{ name, text string }{{"system-out", c.Stdout}, {"system-err", c.Stderr}} {
		if stream.text != "" {
			fmt.Fprintf(b, "\n      <%s>%s</%s>", stream.name, xmlText(stream.text), stream.name)
		}
	}
	b.WriteString("\n    </testcase>\n")
}

// xmlText escapes text for XML. Control characters, which XML cannot contain, are escaped as in
// Go.
func xmlText(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = term.Printable(line)
	}
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(strings.Join(lines, "\n"))
}
