package watch

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Options specifies the directories that Hooks watches, and how hooks are read.
type Options struct {
	// Hooks are the absolute paths of the directories of hooks, as returned by
	// place.UserHooks and HooksDirs. They need not exist.
	Hooks []string
	// Load reads all hooks again, for example with discovery.Read. The caller
	// must not keep the hooks that it returns, because Hooks changes them. Load is called in
	// the goroutine of Hooks.
	//
	// keep must be called for each hook that was read, before anything else is decided about it, as
	// Options.Keep of package agenthooks is: it returns the last valid version of a hook whose
	// HOOK.md is invalid.
	Load func(keep func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic)
	// Poll makes Hooks check for changes periodically instead of using the file system's
	// notifications.
	Poll bool
}

// Change is a set of detected changes. The Table is complete and may be used like that of Load;
// later Changes do not modify it.
type Change struct {
	Table       discovery.Table
	Diagnostics []spec.Diagnostic // of the directories themselves, as returned by Load
	// Hooks are the changed hooks, removed ones first, sorted by scope and folder. The first
	// Change contains all hooks.
	Hooks []HookChange
	// Warnings are single lines about the state of watching.
	Warnings []string
}

// HookChange is a hook that was added, removed or changed, either in its files or by something
// else, such as another hook that replaces it.
type HookChange struct {
	Before *discovery.Hook // nil: it was added
	After  *discovery.Hook // nil: it was removed
	Files  []string        // which of its files changed, relative to its folder, with slashes
	// Kept means that the hook's HOOK.md became invalid, and After is the last valid version
	// with the Diagnostics of the current one. It replaces the invalid hook in the Table, and
	// its Notice says so. The hooks.toml files apply to it as to any hook.
	Kept bool
	// Dropped means that the hook was Kept and its HOOK.md is still invalid, but After is no
	// longer a valid version, because it is Untrusted.
	Dropped bool
}

// PollEvery is the interval at which Hooks checks for changes without notifications.
const PollEvery = 100 * time.Millisecond

const (
	quiet      = 30 * time.Millisecond  // after this time without notifications, a save is complete
	maxQuiet   = 100 * time.Millisecond // maximum delay in a stream of notifications
	checkEvery = time.Second            // interval of checks for missed notifications
	passing    = time.Second            // how long a folder may lack a HOOK.md until it is reported
	idleShare  = 20                     // how many times as long as a check is the pause after it, at least
)

// notifies reports whether the system's notifications are used. On Windows they are not: there,
// fsnotify closes the handle of a removed folder twice, which may be another's handle by then, so
// that the Go runtime aborts the process (fsnotify/fsnotify#768), and loses the request to close
// while it reports an error, so that closing never returns.
const notifies = runtime.GOOS != "windows"

// Hook returns the current hook or, if it was removed, the previous one.
func (c HookChange) Hook() *discovery.Hook { return cmp.Or(c.After, c.Before) }

// Kind returns "added", "removed" or "changed".
func (c HookChange) Kind() string {
	switch {
	case c.Before == nil:
		return "added"
	case c.After == nil:
		return "removed"
	}
	return "changed"
}

// Hooks reads the hooks and calls found with them, and does so again after each change in a
// hook's folder, in a hooks.toml next to the directories, or in the directories themselves,
// until ctx ends. The first call after a save comes within 200 ms, even during a stream of
// saves, or after a second if the file system does not notify of it.
//
// For each hook, it watches HOOK.md, the files in scripts and tests, and up to 200 more files
// and folders, in whole folders; Change.Warnings lists the skipped folders. Private files of
// editors and tools, such as names that begin with a dot, node_modules, __pycache__ and venv,
// are ignored.
//
// A hook whose HOOK.md becomes invalid is kept in its last valid version, so that an incomplete
// edit does not disable a guard, until it is fixed, its folder is removed, or trust is
// required, which only reviewed copies have (D40). A folder without a HOOK.md is reported only
// after a second, because an editor may be about to create the file, or git to remove the
// folder. If the system cannot watch all directories, Hooks polls every 100 ms and a Change
// reports it. On Windows, it always polls.
//
// found is called in the goroutine of Hooks. Changes during a call are detected after it.
func Hooks(ctx context.Context, o Options, found func(Change)) {
	w := &watcher{options: o}
	defer w.notices.close()
	if !o.Poll && notifies {
		if err := w.notices.open(); err != nil {
			w.poll(fmt.Sprintf("the system does not notify of changes (%v)", err))
		}
	}
	for first := true; ; first = false {
		if change, news := w.update(); first || news {
			found(change)
		}
		if !w.wait(ctx) {
			return
		}
	}
}

// watcher is the state of one call of Hooks.
type watcher struct {
	options  Options
	notices  notices
	versions versions

	seen     survey // for the last Change, as are hooks, problems and kept
	hooks    map[hookKey]*discovery.Hook
	problems []spec.Diagnostic
	kept     map[hookKey]bool
	warnings []string // for the next Change

	empty   map[string]time.Time // folders without a HOOK.md, and since when
	pending bool                 // one of them is not reported yet
}

// update surveys the disk again, and returns the differences and whether there are any.
func (w *watcher) update() (c Change, news bool) {
	now := w.survey()
	if w.hooks != nil && now.same(w.seen) && !w.pending && len(w.warnings) == 0 {
		return c, false
	}
	w.versions.begin()
	c.Table, c.Diagnostics = w.options.Load(w.versions.keep)
	w.versions.end()
	c.Diagnostics = w.lasting(c.Diagnostics)
	hooks := byKey(c.Table)
	c.Hooks = w.differences(hooks, now)
	c.Warnings = append(w.warnings, now.newlySkipped(w.seen)...)
	news = len(c.Hooks) > 0 || len(c.Warnings) > 0 || !slices.Equal(c.Diagnostics, w.problems)
	w.seen, w.hooks, w.problems, w.kept, w.warnings = now, hooks, c.Diagnostics, w.versions.kept, nil
	return c, news
}

// survey surveys the disk and watches the directories that it finds. It repeats this until
// nothing changes in between, because such a change may not be notified of.
func (w *watcher) survey() survey {
	const limit = 10 // on a busy disk, continue with the next call
	now := take(w.options.Hooks)
	for range limit {
		if !w.notices.expected() {
			break
		}
		if err := w.notices.listen(now.dirs); err != nil {
			w.poll(err.Error())
		}
		before := now
		now = take(w.options.Hooks)
		if now.same(before) {
			break
		}
	}
	return now
}

// lasting leaves out the folders that have lacked a HOOK.md only for a short time.
func (w *watcher) lasting(diagnostics []spec.Diagnostic) []spec.Diagnostic {
	before := w.empty
	w.empty, w.pending = map[string]time.Time{}, false
	return slices.DeleteFunc(diagnostics, func(d spec.Diagnostic) bool {
		if d.Code != "empty" {
			return false
		}
		since, ok := before[d.Path]
		if !ok && before != nil { // in the first survey, no folder is new
			since = time.Now()
		}
		w.empty[d.Path] = since
		early := time.Since(since) < passing
		w.pending = w.pending || early
		return early
	})
}

// differences returns the changes in hooks and on disk. Removed hooks come before those that may
// have replaced them.
func (w *watcher) differences(hooks map[hookKey]*discovery.Hook, now survey) []HookChange {
	var removed, changes []HookChange
	for key, before := range w.hooks {
		if hooks[key] == nil {
			removed = append(removed, HookChange{Before: before})
		}
	}
	for key, after := range hooks {
		c := HookChange{Before: w.hooks[key], After: after, Kept: w.versions.kept[key]}
		c.Dropped = w.kept[key] && w.versions.held[key]
		if c.Before != nil {
			c.Files = now.changedFiles(w.seen, Origin(after))
		}
		if c.Before != nil && len(c.Files) == 0 {
			a, b := *c.Before, *after
			replaces := (a.Replaces == nil) != (b.Replaces == nil)
			a.Replaces, a.ReplacedBy, b.Replaces, b.ReplacedBy = nil, nil, nil, nil
			if !replaces && reflect.DeepEqual(a, b) {
				continue
			}
		}
		changes = append(changes, c)
	}
	bySource := func(x, y HookChange) int {
		a, b := x.Hook(), y.Hook()
		return cmp.Or(cmp.Compare(b.Scope, a.Scope), cmp.Compare(a.Folder, b.Folder))
	}
	slices.SortFunc(removed, bySource)
	slices.SortFunc(changes, bySource)
	return append(removed, changes...)
}

// newlySkipped returns warnings about folders in which changes are no longer detected.
func (s survey) newlySkipped(before survey) (warnings []string) {
	for _, hook := range slices.Sorted(maps.Keys(s.skipped)) {
		for _, folder := range s.skipped[hook] {
			if slices.Contains(before.skipped[hook], folder) {
				continue
			}
			but := ""
			if folder == "." {
				but = ", except HOOK.md, scripts and tests"
			}
			warnings = append(warnings, fmt.Sprintf("the files in %s are not watched%s: the hook has more than %d", shown.Path(filepath.Join(hook, filepath.FromSlash(folder))), but, maxFiles))
		}
	}
	return warnings
}

// changedFiles returns the files of a hook that changed, except in skipped folders.
func (s survey) changedFiles(before survey, hook string) []string {
	skipped := slices.Concat(before.skipped[hook], s.skipped[hook])
	return slices.DeleteFunc(s.hooks[hook].Changed(before.hooks[hook]), func(file string) bool {
		first, _, _ := strings.Cut(file, "/")
		return slices.ContainsFunc(skipped, func(folder string) bool {
			return strings.HasPrefix(file, folder+"/") || folder == "." && file != "." && !always(first)
		})
	})
}

// poll switches from notifications to polling.
func (w *watcher) poll(because string) {
	w.notices.close()
	w.warnings = append(w.warnings, fmt.Sprintf("%s; checking for changes every %v instead", because, PollEvery))
}

// wait returns true when something may have changed, and false when ctx has ended. It also checks
// from time to time, because some file systems accept watches but send no notifications.
func (w *watcher) wait(ctx context.Context) bool {
	every := checkEvery
	if !w.notices.expected() {
		every = PollEvery
	}
	tick := time.NewTimer(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-w.notices.woken:
			return w.settle(ctx)
		case <-tick.C:
		}
		began := time.Now()
		switch {
		case !take(w.options.Hooks).same(w.seen):
			return w.settle(ctx)
		case w.pending:
			return true
		}
		tick.Reset(max(every, idleShare*time.Since(began)))
	}
}

// settle waits until a burst of notifications is over.
func (w *watcher) settle(ctx context.Context) bool {
	longest, pause := time.NewTimer(maxQuiet), time.NewTimer(quiet)
	defer longest.Stop()
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-longest.C:
			return true
		case <-pause.C:
			return true
		case <-w.notices.woken:
			pause.Reset(quiet)
		}
	}
}
