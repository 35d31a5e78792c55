package output

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/agent-hooks/agent-hooks/internal/term"
)

// sarif is SARIF 2.1.0, which code hosts and editors show at the lines: its results are the
// findings. Checks that passed are not in it.
type sarif struct{}

type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		URI     string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string     `json:"id"`
		Meaning *sarifText `json:"shortDescription,omitempty"`
		Fix     *sarifText `json:"help,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		Rule      string          `json:"ruleId"`
		Index     int             `json:"ruleIndex"`
		Level     Level           `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
		Count     int             `json:"occurrenceCount,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line   int `json:"startLine"`
		Column int `json:"startColumn,omitempty"`
	}
)

func (sarif) Write(w io.Writer, r *Report) error {
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "agent-hooks", Version: r.Version, URI: "https://github.com/agent-hooks/agent-hooks", Rules: []sarifRule{}}},
		ColumnKind: "unicodeCodePoints", Results: []sarifResult{},
	}
	var findings []Finding
	for _, g := range r.Groups {
		for _, c := range g.Checks {
			findings = append(findings, c.Findings...)
		}
	}
	var ids []string
	for _, f := range findings {
		ids = append(ids, f.Rule)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	for _, id := range ids {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, r.rule(id))
	}
	for _, f := range findings {
		result := sarifResult{Rule: f.Rule, Index: slices.Index(ids, f.Rule), Level: f.Level, Message: sarifText{term.Printable(f.Message)}, Count: f.Count}
		if f.File != "" {
			// Code hosts drop a result without a line.
			result.Locations = []sarifLocation{{sarifPhysical{sarifArtifact{r.uri(f.File)}, sarifRegion{max(1, f.Line), f.Column}}}}
		}
		run.Results = append(run.Results, result)
	}
	return asJSON{}.Write(w, &Report{JSON: sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}}})
}

func (r *Report) rule(id string) sarifRule {
	rule := sarifRule{ID: id}
	if i := slices.IndexFunc(r.Rules, func(known Rule) bool { return known.ID == id }); i >= 0 {
		rule.Meaning = &sarifText{r.Rules[i].Meaning}
		rule.Fix = &sarifText{cmp.Or(r.Rules[i].Fix, r.Rules[i].Meaning)}
	}
	return rule
}

// uri returns a relative URI for a file below the root, which a checkout elsewhere has, too, and
// otherwise an absolute one.
func (r *Report) uri(file string) string {
	if r.Root != "" {
		if rel, err := filepath.Rel(r.Root, file); err == nil && filepath.IsLocal(rel) {
			return escaped(filepath.ToSlash(rel))
		}
	}
	path := escaped(filepath.ToSlash(file))
	if !filepath.IsAbs(file) {
		return path
	}
	return "file:///" + strings.TrimPrefix(path, "/") // C:/x is file:///C:/x
}

// escaped encodes each byte of a path that a URI cannot have. Package net/url would be initialized in
// each run.
func escaped(path string) string {
	var b strings.Builder
	for i := range len(path) {
		c := path[i]
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
