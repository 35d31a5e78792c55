package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/agent-hooks/agent-hooks/spec"
)

type versionFlags struct{ jsonFlag }

type versionInfo struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (flags versionFlags) execute(env *Env, _ []string) (int, error) {
	info := buildVersion()
	if flags.json {
		return spec.ExitContinue, env.printJSON(info)
	}
	line := "agent-hooks " + info.Version
	if info.Revision != "" {
		line += " (" + info.Revision + ")"
	}
	_, err := fmt.Fprintf(env.Stdout, "%s %s %s\n", line, info.Go, info.Platform)
	return spec.ExitContinue, err
}

// buildVersion returns the build information in the binary.
func buildVersion() versionInfo {
	v := versionInfo{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v.Revision = s.Value[:min(12, len(s.Value))]
		}
	}
	return v
}
