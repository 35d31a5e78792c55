// The command sbom writes a bill of materials of a Go program: the modules that were linked into
// it, according to its build information, in the format CycloneDX. The same program always gives
// the same bytes: there is no time and no random number in them.
//
//	sbom PROGRAM FILE
package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

type bill struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Ref        string     `json:"bom-ref"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: sbom PROGRAM FILE"))
	}
	info, err := buildinfo.ReadFile(os.Args[1])
	if err != nil {
		fail(err)
	}
	text, err := json.MarshalIndent(billOf(info), "", "  ")
	if err != nil {
		fail(err)
	}
	if err := os.WriteFile(os.Args[2], append(text, '\n'), 0o644); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "sbom:", err)
	os.Exit(1)
}

// billOf returns the bill of a program. The modules are in the order of the build information.
func billOf(info *debug.BuildInfo) bill {
	program := module("application", &info.Main)
	for _, s := range info.Settings {
		program.Properties = append(program.Properties, property{"go:build:" + s.Key, s.Value})
	}
	library := module("library", &debug.Module{Path: "stdlib", Version: strings.TrimPrefix(info.GoVersion, "go")})
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{program}, Components: []component{library}}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		b.Components = append(b.Components, module("library", m))
	}
	all := dependency{Ref: program.Ref}
	for _, c := range b.Components {
		all.DependsOn = append(all.DependsOn, c.Ref)
	}
	b.Dependencies = []dependency{all}
	return b
}

// module returns the component of a module, with the hash by which go.sum knows it.
func module(kind string, m *debug.Module) component {
	purl := "pkg:golang/" + m.Path + "@" + strings.ReplaceAll(m.Version, "+", "%2B")
	c := component{Ref: purl, Type: kind, Name: m.Path, Version: m.Version, PURL: purl}
	if m.Sum != "" {
		c.Properties = []property{{"go:sum", m.Sum}}
	}
	return c
}
