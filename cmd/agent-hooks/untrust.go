package main

import (
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/trust"
	"github.com/agent-hooks/agent-hooks/spec"
)

type untrustFlags struct {
	hook   string
	dryRun bool
}

func (f *untrustFlags) declare(fs *flag.FlagSet) {
	fs.StringVar(&f.hook, "hook", "", "end the trust in the hook `NAME` only")
	fs.BoolVar(&f.dryRun, "dry-run", false, "say what would be done, and do nothing")
}

// untrustCommand is `agent-hooks untrust [DIR]` (D40).
func untrustCommand(env *Env, args []string) (int, error) {
	flags, args, err := parse[untrustFlags]("untrust", args)
	if err != nil {
		return 0, err
	}
	store, err := trust.Open(env.trustDir())
	if err != nil {
		return 0, err
	}
	place, contents, err := env.trustedContents(store, args, flags.hook)
	if err != nil {
		return 0, err
	}
	if len(contents) == 0 {
		if flags.hook != "" {
			return 0, fmt.Errorf("untrust: hook %q is not trusted here", flags.hook)
		}
		_, err := fmt.Fprintln(env.Stdout, "nothing is trusted here")
		return spec.ExitContinue, err
	}
	if flags.dryRun {
		for _, c := range contents {
			fmt.Fprint(env.Stdout, env.paragraph(env.Stdout, 2, fmt.Sprintf("would no longer be trusted: hook %s, %s", printable(c.Name), c.Digest[:12])))
		}
		return spec.ExitContinue, nil
	}
	revoked, err := store.Revoke(place, contents)
	env.printRevoked(revoked)
	return spec.ExitContinue, err
}

func (env *Env) printRevoked(r *trust.Revoked) {
	for _, c := range r.Contents {
		fmt.Fprint(env.Stdout, env.paragraph(env.Stdout, 2, fmt.Sprintf("no longer trusted: hook %s, %s", printable(c.Name), c.Digest[:12])))
	}
	for _, repository := range r.Elsewhere {
		fmt.Fprint(env.Stdout, env.paragraph(env.Stdout, 2, fmt.Sprintf("nor in %s, where the same content was trusted", printable(repository))))
	}
	env.told("changed", r.Written)
	for _, err := range r.Unread {
		env.warn("%v", err)
	}
}

// trustedContents returns what was ever trusted of the project in DIR, else
// of the current one: by what is remembered of it, and by what it holds now,
// which may have been trusted elsewhere.
func (env *Env) trustedContents(store *trust.Store, args []string, hook string) (trust.Place, []trust.Content, error) {
	if len(args) == 1 {
		dir := env.absolute(args[0])
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			return goneProject(store, dir, hook)
		}
	}
	hooks, err := env.projectOf("untrust", args)
	if err != nil {
		return trust.Place{}, nil, err
	}
	place := trust.Locate(hooks.Project.Root)
	contents, err := store.Trusted(place, hook)
	for err == nil && len(contents) == 0 && hooks.Project.Hooks == "" && place.Project != "." {
		// Its hooks may be gone, so that the search began and ended below.
		place.Project = path.Dir(place.Project)
		contents, err = store.Trusted(place, hook)
	}
	return place, append(contents, knownContents(store, hooks, hook, contents)...), err
}

func knownContents(store *trust.Store, hooks *agenthooks.Hooks, hook string, but []trust.Content) []trust.Content {
	var contents []trust.Content
	for _, h := range projectHooks(hooks) {
		if hook != "" && h.Folder != hook {
			continue
		}
		folder, err := trust.Read(h.Dir)
		if err != nil {
			continue // what cannot be trusted was not
		}
		c := trust.Content{Name: h.Folder, Digest: folder.Digest()}
		if store.Has(c) && !slices.Contains(but, c) {
			contents = append(contents, c)
		}
	}
	return contents
}

// goneProject finds what is remembered of a directory that is no more.
func goneProject(store *trust.Store, dir, hook string) (trust.Place, []trust.Content, error) {
	for _, repository := range []string{dir, filepath.Join(dir, ".git")} {
		place := trust.Place{Repository: repository}
		contents, err := store.Trusted(place, hook)
		if err != nil || len(contents) > 0 {
			return place, contents, err
		}
	}
	return trust.Place{Repository: dir}, nil, nil
}
