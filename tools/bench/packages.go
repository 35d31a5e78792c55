package main

import (
	"debug/buildinfo"
	"fmt"
	"strings"
)

// packages shows the cost of each linked module for every run and for the binary.
func (b *bench) packages() (string, error) {
	info, err := buildinfo.ReadFile(b.agentHooks[0])
	if err != nil {
		return "", err
	}
	modules := []string{info.Main.Path}
	for _, dependency := range info.Deps {
		modules = append(modules, dependency.Path)
	}
	times, err := b.initMedians()
	if err != nil {
		return "", err
	}
	sizes, err := b.symbolSizes()
	if err != nil {
		return "", err
	}
	t := table{head: []string{"module", "packages initialized", "µs", "code and data, KiB"}}
	for i, module := range modules {
		count, took := share(times, module)
		_, size := share(sizes, module)
		name, initialized := "`"+module+"`", fmt.Sprint(count)
		if i == 0 {
			name = "agent-hooks itself"
			if count > 0 {
				initialized = fmt.Sprintf("**%d** (goal 0)", count)
			}
		}
		t.add(name, initialized, fmt.Sprintf("%.0f", took), fmt.Sprintf("%.0f", size/1024))
	}
	return t.String(), nil
}

// share sums the values of a module's packages or symbols.
func share(values map[string]float64, module string) (count int, sum float64) {
	for name, value := range values {
		rest, ok := strings.CutPrefix(name, module)
		if ok && (rest == "" || rest[0] == '/' || rest[0] == '.') {
			count++
			sum += value
		}
	}
	return count, sum
}

// symbolSizes returns the size in bytes of each symbol of an unstripped build.
func (b *bench) symbolSizes() (map[string]float64, error) {
	program, err := b.goBuild("agent-hooks.symbols", "./cmd/agent-hooks")
	if err != nil {
		return nil, err
	}
	out, err := goCommand("tool", "nm", "-size", program).Output()
	if err != nil {
		return nil, fmt.Errorf("go tool nm: %w", err)
	}
	return readSymbols(string(out)), nil
}

// readSymbols parses lines of an address, a size, a kind and a name.
func readSymbols(listing string) map[string]float64 {
	sizes := map[string]float64{}
	for line := range strings.Lines(listing) {
		var address, kind string
		var size float64
		var name string
		if n, _ := fmt.Sscan(line, &address, &size, &kind, &name); n == 4 && kind != "B" && kind != "b" {
			sizes[unescaped(name)] += size
		}
	}
	return sizes
}
