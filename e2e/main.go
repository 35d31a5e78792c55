// Command e2e runs unmodified coding agents, offline and confined, against a
// scripted model, and checks what hooks do in them. It needs Linux, npm, Go
// and about 2 GB below the cache folder.
//
//	cd e2e && go run .                                # all
//	cd e2e && go run . -client codex -scenario gate   # some
//	cd e2e && go run . -write                         # all, and the document
//	cd e2e && go run . -picture                       # the README's first picture
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/agent-hooks/agent-hooks/e2e/cage"
)

type options struct {
	cache     string
	program   string
	clients   string
	scenarios string
	native    string
	command   string
	ask       bool
	parallel  int
	write     bool
	keep      bool
	picture   bool
	sessions  string
	rest      bool
	team      bool
	flaws     bool
}

func main() {
	if len(os.Args) == 3 && os.Args[1] == cage.Argument {
		exit(cage.Enter(os.Args[2]))
	}
	if len(os.Args) == 3 && os.Args[1] == jobArgument {
		exit(0, runJob(os.Args[2]))
	}
	if len(os.Args) == 3 && os.Args[1] == servicesArgument {
		exit(0, serveTeam(os.Args[2]))
	}
	var o options
	flag.StringVar(&o.cache, "cache", "", "folder for the clients and the runs (default: the user's cache folder)")
	flag.StringVar(&o.program, "program", "", "agent-hooks to test (default: built from this repository)")
	flag.StringVar(&o.clients, "client", "", "only these clients, separated by commas")
	flag.StringVar(&o.scenarios, "scenario", "", "only these scenarios, separated by commas")
	flag.StringVar(&o.native, "native", "", "instead, one conversation with a hook on this event of the client")
	flag.StringVar(&o.command, "command", "cat >> $LOG/native.jsonl", "with -native: the hook's command; $LOG is the run's log folder")
	flag.BoolVar(&o.ask, "ask", false, "with -native: the client's own settings do not permit the tool")
	flag.IntVar(&o.parallel, "parallel", runtime.NumCPU(), "conversations at a time")
	flag.BoolVar(&o.write, "write", false, "write docs/reference/agents-live.md from the last result of each conversation")
	flag.BoolVar(&o.keep, "keep", false, "keep the folders of runs without a fault")
	flag.BoolVar(&o.picture, "picture", false, "instead, draw a session of Claude Code to docs/images/session.svg")
	flag.StringVar(&o.sessions, "transcripts", "", "instead, one session of each client: its transcript and its hook's payloads, without paths and ids, below this folder")
	flag.BoolVar(&o.rest, "rest", false, "of the scenario managed, try only the means whose session did not end in time")
	flag.BoolVar(&o.team, "team", false, "instead, as root, the story of a team: five accounts, a repository over ssh, Claude Code and Codex")
	flag.BoolVar(&o.flaws, "flaws", false, "instead, which handlers a client runs of a file of hooks with each of many flaws; rows for internal/setup/install/testdata/flaws.tsv")
	flag.Parse()
	exit(o.run(context.Background()))
}

func exit(status int, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
	os.Exit(status)
}

func (o options) run(ctx context.Context) (int, error) {
	cache, err := o.cacheFolder()
	if err != nil {
		return 0, err
	}
	if o.picture {
		o.clients = claudeCode().name
	}
	if o.team {
		o.clients = claudeCode().name + "," + codex().name
	}
	list := chosen(clients(), o.clients, func(c client) string { return c.name })
	if err := prepare(ctx, cache, o.program, list); err != nil {
		return 0, err
	}
	if o.team {
		return 0, tellTeam(ctx, cache)
	}
	if o.picture {
		return 0, drawPicture(ctx, cache)
	}
	if o.sessions != "" {
		return 0, o.recordTranscripts(ctx, cache, list)
	}
	if o.flaws {
		return 0, o.tryFlaws(ctx, cache, list)
	}
	if o.native != "" {
		return 0, o.showNative(ctx, cache, list)
	}
	results := o.all(ctx, cache, list)
	faults := 0
	for _, r := range results {
		if r.Fault != "" {
			faults++
		}
	}
	fmt.Printf("%d conversations, %d with a fault\n", len(results), faults)
	if o.write {
		if err := writePage(ctx, cache); err != nil {
			return 0, err
		}
	}
	return min(faults, 1), nil
}

// cacheFolder returns the cache folder. It must not be below /tmp, because the cage has a
// private /tmp.
func (o options) cacheFolder() (string, error) {
	folder := o.cache
	if folder == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		folder = filepath.Join(base, "agent-hooks-e2e")
	}
	folder, err := filepath.Abs(folder)
	if err == nil && strings.HasPrefix(folder+"/", "/tmp/") {
		err = fmt.Errorf("%s: the clients see another /tmp: choose a -cache elsewhere", folder)
	}
	return folder, err
}

func chosen[T any](all []T, names string, name func(T) string) []T {
	if names == "" {
		return all
	}
	return slices.DeleteFunc(all, func(v T) bool { return !slices.Contains(strings.Split(names, ","), name(v)) })
}

// all runs every selected scenario with every client, and prints each result.
func (o options) all(ctx context.Context, cache string, list []client) []result {
	var (
		results []result
		mu      sync.Mutex
		group   sync.WaitGroup
	)
	slots := make(chan struct{}, max(o.parallel, 1))
	for _, sc := range chosen(scenarios(), o.scenarios, func(s scenario) string { return s.name }) {
		for _, c := range list {
			slots <- struct{}{}
			var earlier result
			if o.rest {
				_ = readJSON(result{Client: c.name, Version: c.version(), Scenario: sc.name}.file(cache), &earlier)
			}
			group.Go(func() {
				defer func() { <-slots }()
				r := execute(ctx, cache, c, sc, earlier.Attempts)
				mu.Lock()
				defer mu.Unlock()
				results = append(results, r)
				o.report(cache, r)
			})
		}
	}
	group.Wait()
	return results
}

func (o options) report(cache string, r result) {
	fmt.Printf("%-12s %-22s %-7s %5.1f s", r.Client, r.Scenario, r.Ability, r.seconds)
	if r.Fault != "" {
		fmt.Printf("  FAULT: %s\n    see %s", r.Fault, r.folder)
	} else if !o.keep {
		os.RemoveAll(r.folder)
	}
	fmt.Println()
	if err := r.save(cache); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
	}
}
