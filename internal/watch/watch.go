package watch

import (
	"context"
	"fmt"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/spec"
)

// Options say what Hooks watches at, and how hooks are read.
type Options struct {
	// Hooks are the directories that hold hooks or may come to, absolute:
	// discovery.UserHooks and Places return them. None need exist.
	Hooks []string
	// Load reads all hooks again, such as by discovery.FindProject and
	// Load. Nothing else may hold the hooks that it returns: they get marked.
	// It is called in the goroutine of Hooks.
	//
	// keep is to be the Rules' Keep: by it Hooks puts the last good version of
	// a broken hook into its place, to which all other rules are then applied.
	Load func(keep func(*discovery.Hook) *discovery.Hook) (discovery.Table, []spec.Diagnostic)
	// Poll is whether to look for changes from time to time instead of asking
	// the file system to notify of them.
	Poll bool
}

// Change is what has been found. The Table is complete and may be used as
// that of Load; a later Change does not touch it.
type Change struct {
	Table       discovery.Table
	Diagnostics []spec.Diagnostic // of the directories themselves, as those of Load
	// Hooks are the hooks that changed, those that were removed first, by scope
	// and folder; in the first Change all that there are.
	Hooks []HookChange
	// Warnings tell how watching goes on, one line each.
	Warnings []string
}

// HookChange is a hook that was added, removed or changed: in its files, or
// in what others make of it, such as a hook that replaces it.
type HookChange struct {
	Before *discovery.Hook // nil: it was added
	After  *discovery.Hook // nil: it was removed
	Files  []string        // which of its files changed, relative to its folder, with slashes
	// Kept says that its HOOK.md became invalid, and After is the last good
	// version with the Diagnostics of the present one. It is in the Table in
	// the place of the broken hook, and its Notice says so. The hooks.toml files
	// apply to it as to any hook.
	Kept bool
	// Dropped says that it was Kept and its HOOK.md is invalid still, but After
	// is no good version any more, since it is Untrusted.
	Dropped bool
}

// PollEvery is how often Hooks looks for changes that nothing notifies it of.
const PollEvery = 100 * time.Millisecond

const (
	quiet      = 30 * time.Millisecond  // no notification for so long: a save is over
	mostQuiet  = 100 * time.Millisecond // of a stream of notifications, until it is answered all the same
	checkEvery = time.Second            // whether a notification was missed
	passing    = time.Second            // what a folder without a HOOK.md may be there until it is told of
	mostLate   = 500 * time.Millisecond // what a notification may take until it counts as missed
)

// Hooks reads the hooks, calls found with them, and again after each change
// in a hook's folder, in a hooks.toml beside the directories, or in the
// directories themselves, until ctx ends. The first answer to a save comes
// within 200 ms, under a stream of saves too.
//
// Of a hook it looks at the HOOK.md, the files in scripts and tests, and 200
// more files and folders in its folder, whole folders at a time; of those that
// are left out a Change tells. What editors and tools keep there for
// themselves, such as names that begin with a dot, node_modules, __pycache__
// and venv, is nothing of the hook.
//
// A hook whose HOOK.md becomes invalid is kept in its last good version, so
// that half an edit does not switch a guard off: until it is mended, its folder
// is gone, or trust is required, which reviewed copies alone have (D40). A
// folder without a HOOK.md is told of only when it has been there for a second: an
// editor may bring the file, and git removes the folder next. Where the file
// system does not notify of changes, or of too few directories, Watch looks for
// them every 100 ms and a Change says so.
//
// found is called in the goroutine of Hooks; what changes during a call is
// found after it.
func Hooks(ctx context.Context, o Options, found func(Change)) {
	w := &watcher{options: o}
	defer w.notices.close()
	if !o.Poll {
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
	seen     survey                      // what the last Change was made of
	hooks    map[hookKey]*discovery.Hook // of the last Change
	troubles []spec.Diagnostic           // of the last Change
	kept     map[hookKey]bool            // of the last Change
	versions versions
	warnings []string // for the next Change

	empty map[string]time.Time // folders without a HOOK.md, since when
	again <-chan time.Time     // when the next of them is to be told of; nil: none is
}

// update reads everything again, and reports what is different and whether
// anything is.
func (w *watcher) update() (c Change, news bool) {
	now := w.look()
	w.versions.begin()
	c.Table, c.Diagnostics = w.options.Load(w.versions.keep)
	w.versions.end()
	c.Diagnostics = w.lasting(c.Diagnostics, time.Now())
	hooks := byKey(c.Table)
	c.Hooks = w.differences(hooks, now)
	c.Warnings = append(w.warnings, now.newlyLeft(w.seen)...)
	news = len(c.Hooks) > 0 || len(c.Warnings) > 0 || !sameDiagnostics(c.Diagnostics, w.troubles)
	w.seen, w.hooks, w.kept, w.troubles, w.warnings = now, hooks, w.versions.kept, c.Diagnostics, nil
	return c, news
}

// look surveys the disk and listens to what it finds, until there is nothing
// new to listen to: what changed between the one and the other would be lost.
func (w *watcher) look() survey {
	const most = 10 // on a disk that is never at rest, the next look will do
	now := take(w.options.Hooks)
	for range most {
		fresh, err := w.notices.listen(now.dirs)
		if err != nil {
			w.poll(err.Error())
		}
		if !fresh {
			break
		}
		now = take(w.options.Hooks)
	}
	return now
}

// poll gives up notifications.
func (w *watcher) poll(because string) {
	w.notices.close()
	w.warnings = append(w.warnings, fmt.Sprintf("%s; looking for changes every %v instead", because, PollEvery))
}

// wait returns when something may have changed; false: ctx has ended.
func (w *watcher) wait(ctx context.Context) bool {
	every := checkEvery
	if !w.notices.expected() {
		every = PollEvery
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-w.notices.woken:
			return w.settle(ctx)
		case <-w.again:
			return true
		case <-tick.C:
			if !take(w.options.Hooks).same(w.seen) {
				return w.unannounced(ctx)
			}
		}
	}
}

// settle lets a burst of notifications pass.
func (w *watcher) settle(ctx context.Context) bool {
	longest, pause := time.NewTimer(mostQuiet), time.NewTimer(quiet)
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

// unannounced waits for the notification of a change that is there already,
// and gives notifications up if none comes: some file systems promise them
// and keep silent.
func (w *watcher) unannounced(ctx context.Context) bool {
	if !w.notices.expected() {
		return w.settle(ctx)
	}
	late := time.NewTimer(mostLate)
	defer late.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-w.notices.woken:
		return w.settle(ctx)
	case <-late.C:
		w.poll("the file system did not notify of a change")
		return true
	}
}
