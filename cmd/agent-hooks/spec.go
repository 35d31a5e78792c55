package main

import (
	"flag"
	"strings"

	"github.com/agent-hooks/agent-hooks/spec"
)

type specFlags struct{ json bool }

func (f *specFlags) declare(fs *flag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print the format's tables (events, fields, diagnostics) as JSON")
}

func (flags specFlags) execute(env *Env, args []string) (int, error) {
	switch {
	case len(args) == 1:
		return spec.ExitContinue, env.printSchema(args[0])
	case flags.json:
		return spec.ExitContinue, env.printJSON(map[string]any{"events": spec.Events(), "fields": spec.Fields(), "diagnostics": spec.Codes()})
	}
	return spec.ExitContinue, env.print(spec.Text())
}

func (env *Env) printSchema(name string) error {
	schema, ok := spec.Schema(name)
	if !ok {
		return usagef("the schemas are "+strings.Join(spec.SchemaNames(), ", "), "spec: unknown schema %q", name)
	}
	_, err := env.Stdout.Write(schema)
	return err
}
