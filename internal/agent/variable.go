package agent

import (
	"slices"
	"strings"
	"unicode"
)

// Unset reports whether a variable looks as if the agent set it for its hooks,
// although it never does: it has the agent's prefix, such as CLAUDE_TOOL_INPUT,
// or is named after a part of a payload, such as TOOL_INPUT.
func (a *Agent) Unset(variable string) bool {
	known := a.variables()
	return (a.prefixes(variable, known) || isPart(variable)) && !slices.ContainsFunc(known, func(k string) bool {
		return variable == k || strings.HasSuffix(k, "_") && strings.HasPrefix(variable, k)
	})
}

// EnvFiles returns the variables of the files in which the agent's hooks leave variables for
// the commands that it runs later.
func (a *Agent) EnvFiles() []string {
	return slices.DeleteFunc(a.variables(), func(name string) bool { return !strings.HasSuffix(name, "_ENV_FILE") })
}

// variables returns the names of the agent's environment variables. A name that
// ends with "_" is a prefix.
func (a *Agent) variables() []string {
	names := append(strings.Fields(a.OtherVariables), a.Variables...)
	for _, p := range a.Environment {
		names = append(names, p.Path)
	}
	for _, s := range a.Settings {
		names = append(names, s.Home)
	}
	return names
}

// prefixes reports whether a variable begins as one of the agent's own does,
// with the agent's name.
func (a *Agent) prefixes(variable string, own []string) bool {
	prefix, _, found := strings.Cut(variable, "_")
	names := append(strings.Split(a.Name, "-"), a.Aliases...)
	return found && slices.Contains(names, strings.ToLower(prefix)) &&
		slices.ContainsFunc(own, func(k string) bool { return strings.HasPrefix(k, prefix+"_") })
}

// isPart reports whether a variable has the name of a payload's key for the
// tool, its files or the hook, in any agent's spelling.
func isPart(variable string) bool {
	switch prefix, _, _ := strings.Cut(variable, "_"); prefix {
	case "TOOL", "HOOK", "FILE":
	default:
		return false
	}
	named := func(path string) bool { return variable == upper(path[strings.LastIndexByte(path, '.')+1:]) }
	return named(filePath) || named(filePaths) || slices.ContainsFunc(agents[:], func(a *Agent) bool {
		return slices.ContainsFunc(strings.Fields(a.NameKey), named) ||
			slices.ContainsFunc(a.Fields, func(f Field) bool { return named(f.Name) || named(f.Path) })
	})
}

// upper converts a key to the style of environment variables: toolArgs becomes
// TOOL_ARGS.
func upper(key string) string {
	var b strings.Builder
	for i, r := range key {
		if unicode.IsUpper(r) && i > 0 && unicode.IsLower(rune(key[i-1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}
