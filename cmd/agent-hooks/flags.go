package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// scopeFlag selects a scope for commands that change settings or hooks. --user is short for
// --scope user there.
type scopeFlag struct{ chosen string } // "user", "project" or one of others; "" if not given

func (f *scopeFlag) declare(fs *flag.FlagSet, usage string, others ...string) {
	scopes := append([]string{"user", "project"}, others...)
	choose := func(scope string) error {
		if !slices.Contains(scopes, scope) {
			return fmt.Errorf("neither %s", strings.Join(scopes, " nor "))
		}
		if f.chosen != "" && f.chosen != scope {
			return fmt.Errorf("--scope is %s, not both", strings.Join(scopes, " or "))
		}
		f.chosen = scope
		return nil
	}
	fs.Func("scope", usage, choose)
	fs.BoolFunc("user", "the same as --scope user", func(text string) error {
		if on, err := strconv.ParseBool(text); err != nil || !on {
			return errors.New("takes no value")
		}
		return choose("user")
	})
}

type jsonFlag struct{ json bool }

func (f *jsonFlag) declare(fs *flag.FlagSet) { fs.BoolVar(&f.json, "json", false, "print JSON") }

// declareCount declares a flag for a number that is not negative.
func declareCount(fs *flag.FlagSet, to *int, name, usage string) {
	fs.Func(name, usage, func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return errors.New("not a whole number from 0")
		}
		*to = n
		return nil
	})
}

// policyFlags specify what to do with a result that an agent cannot express (D45).
type policyFlags struct{ ask, modify string }

func (f *policyFlags) declare(fs *flag.FlagSet) {
	f.declareValues(fs, "a question that the agent cannot ask", "a changed input that the agent cannot use", "deny", "ignore")
}

func (f *policyFlags) declareValues(fs *flag.FlagSet, ask, modify string, values ...string) {
	policy := func(to *string, name, usage string) {
		fs.Func(name, "`"+strings.Join(values, "|")+"` "+usage, func(text string) error {
			if text != "" && !slices.Contains(values, text) {
				return errors.New("not one of " + strings.Join(values, ", "))
			}
			*to = text
			return nil
		})
	}
	policy(&f.ask, "ask", ask)
	policy(&f.modify, "modify", modify)
}
