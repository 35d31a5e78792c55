// Package resident runs hooks that read requests and write responses (D60). A Pool keeps their
// processes for a session, as long as the files that they were started from are the same.
//
// An error about a context that has ended is the context's cause.
package resident

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/script"
	"github.com/agent-hooks/agent-hooks/spec"
)

const (
	maxKept = 64                     // kept processes; more only while all are busy
	grace   = 500 * time.Millisecond // time for a process to exit after its stdin is closed
)

// Hook is a hook with the event that it is about to read.
type Hook struct {
	Name             string // for the handshake
	Session, Project string // of the event
	File, Folder     string // its HOOK.md, and the folder with its program
	Kind             string // only hooks of the same kind may share a process
	Command          exec.Command
	Dialog           script.Dialog
}

// Pool holds the processes of hooks, which are kept for a session. Safe for concurrent use.
type Pool struct {
	// starting has a lock for each project, which is held while files are
	// compared and a process is started: one project must not delay another.
	starting sync.Map // string -> *sync.Mutex

	mu     sync.Mutex // guards the fields below
	all    map[id]*resident
	uses   int // counts uses, to find the least recently used process
	closed bool
	ending sync.WaitGroup
}

// id identifies a hook's process. Several hooks may have the same one.
type id struct{ session, project, dir, file string }

func idOf(h *Hook) id { return id{h.Session, h.Project, h.Command.Dir, h.File} }

// resident is a kept process.
type resident struct {
	*conversation
	// origins are those of the hooks that use the process, and own is that of
	// the hook that started it. Guarded by the project's lock.
	origins map[id]*origin
	own     *origin
	busy    int // requests in progress
	used    int
	told    <-chan struct{} // closed after the last notification; nil before the first
}

// Send sends the event to the hook's process for the session. If a process that was started for an
// earlier event ends without an answer, Send starts a new one and sends the event again. kept is
// false if processes are no longer kept.
func (p *Pool) Send(ctx context.Context, h *Hook) (result exec.Result, err error, kept bool) {
	for {
		r, fresh, err := p.take(h)
		if r == nil {
			return exec.Result{Status: -1}, err, err != nil
		}
		r.process.Raise(h.Command.MaxStdout)
		p.mu.Lock()
		told := r.told
		p.mu.Unlock()
		await(ctx.Done(), []<-chan struct{}{told})
		answer, err := r.ask(ctx, h.Dialog)
		result := r.result(answer)
		if err == nil && answer == nil {
			result.Status = spec.ExitContinue
		}
		p.done(r, err)
		if errors.As(err, &errLeft{}) && !fresh && ctx.Err() == nil {
			continue
		}
		return result, err, true
	}
}

// Notify sends a notification after earlier ones to the same process, without waiting, and calls
// ended with the result. It returns false if processes are no longer kept.
func (p *Pool) Notify(ctx context.Context, h *Hook, ended func(exec.Result)) (kept bool) {
	r, fresh, err := p.take(h) // now, so that the end of the session ends it
	if r == nil {
		if err != nil {
			ended(exec.Result{Err: err, Status: -1})
		}
		return err != nil
	}
	told := make(chan struct{})
	p.mu.Lock()
	before := r.told
	r.told = told
	p.mu.Unlock()
	go func() {
		defer close(told)
		if before != nil {
			<-before
		}
		began := time.Now()
		_, err := r.ask(ctx, h.Dialog)
		result := r.result(nil)
		p.done(r, err)
		if errors.As(err, &errLeft{}) && !fresh { // it was started for an earlier event
			result, err = Once(ctx, h)
		}
		result.Err = err
		if err == nil {
			result.Status, result.Signal = spec.ExitContinue, ""
		}
		result.Duration = time.Since(began)
		ended(result)
	}()
	return true
}

// await waits until all channels that are not nil are closed, or until end.
func await[T any](end <-chan T, all []<-chan struct{}) {
	for _, one := range all {
		if one == nil {
			continue
		}
		select {
		case <-one:
		case <-end:
			return
		}
	}
}

// take returns the process for a request, nil if processes are not kept or it
// cannot be started. fresh reports whether it was started for this request.
func (p *Pool) take(h *Hook) (r *resident, fresh bool, err error) {
	key := idOf(h)
	lock, _ := p.starting.LoadOrStore(key.project, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	for {
		p.mu.Lock()
		r, closed := p.all[key], p.closed
		p.mu.Unlock()
		if closed {
			return nil, false, nil
		}
		if r == nil {
			r = p.share(h)
		}
		fresh = r == nil || r.gone() || !r.current(h)
		if fresh {
			old := r
			own := originOf(h) // before the process starts
			c, err := converse(h)
			r = nil
			if err == nil {
				r = &resident{conversation: c, own: own, origins: map[id]*origin{own.key: own}}
			}
			p.replace(key, old, r, old != nil && (old.gone() || !old.own.same()))
			if err != nil {
				return nil, true, err
			}
		}
		if p.use(key, r) { // otherwise it was ended meanwhile
			return r, fresh, nil
		}
	}
}

// replace keeps r for a hook instead of old. Either may be nil. The other hooks
// that use old keep it unless it is outdated for them, too.
func (p *Pool) replace(key id, old, r *resident, outdated bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if old != nil && p.all[key] == old {
		p.release(key, old)
		if outdated && p.keeps(old) {
			p.drop(old)
		}
	}
	switch {
	case r == nil:
	case p.closed:
		go r.process.End(0)
	default:
		if p.all == nil {
			p.all = map[id]*resident{}
		}
		p.all[key] = r
		p.evict()
	}
}

// use records the begin of a request. It returns false if r is no longer kept.
func (p *Pool) use(key id, r *resident) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all[key] != r {
		return false
	}
	p.uses++
	r.busy, r.used = r.busy+1, p.uses
	return true
}

// share returns the process of another hook that runs the same program, and
// keeps it for this hook, too; nil if there is none. An entry of PicoClaw's
// settings is one process for all of its events, and import makes a hook of
// each.
func (p *Pool) share(h *Hook) *resident {
	var s *origin
	key := idOf(h)
	for _, r := range p.others(key) {
		if s == nil {
			s = originOf(h)
		}
		if r.gone() || !r.own.shares(s) {
			continue
		}
		p.mu.Lock()
		kept := p.keeps(r)
		if kept {
			p.all[key] = r
		}
		p.mu.Unlock()
		if kept {
			r.origins[key] = s
			return r
		}
	}
	return nil
}

// others returns the processes of other hooks in a key's session and directory.
func (p *Pool) others(key id) (all []*resident) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for other, r := range p.all {
		other.file = key.file
		if other == key && !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all
}

// current reports whether a process that was started now for the hook would be
// the same.
func (r *resident) current(h *Hook) bool {
	s := r.origins[idOf(h)]
	return s != nil && commandOf(&h.Command) == s.command && s.same() && (s == r.own || r.own.same())
}

// done records the end of a request. A process that did not answer in time, or
// gave an unreadable answer, is ended (D34).
func (p *Pool) done(r *resident, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r.busy--
	lost := errors.Is(err, exec.ErrTimeout) || errors.Is(err, errBroken)
	switch {
	case p.keeps(r) && (lost || r.gone()):
		p.drop(r)
	case !p.keeps(r) && r.busy == 0:
		p.end(r, grace)
	}
	if lost {
		p.end(r, 0)
	}
}

// keeps reports whether a process is kept. That is as long as the hook that
// started it uses it: another hook's folder may be removed.
func (p *Pool) keeps(r *resident) bool { return p.all[r.own.key] == r }

// release removes a hook from those that use a process.
func (p *Pool) release(key id, r *resident) {
	if key == r.own.key {
		p.drop(r)
	} else {
		delete(p.all, key)
	}
}

// drop removes a process, which ends after its last request.
func (p *Pool) drop(r *resident) {
	maps.DeleteFunc(p.all, func(_ id, kept *resident) bool { return kept == r })
	if r.busy == 0 {
		p.end(r, grace)
	}
}

func (p *Pool) end(r *resident, within time.Duration) {
	p.ending.Go(func() { r.process.End(within) })
}

// evict limits the number of processes.
func (p *Pool) evict() {
	for {
		kept := map[*resident]bool{}
		var oldest *resident
		for _, r := range p.all {
			kept[r] = true
			if r.busy == 0 && r.used > 0 && (oldest == nil || r.used < oldest.used) {
				oldest = r
			}
		}
		if len(kept) <= maxKept || oldest == nil {
			return
		}
		p.drop(oldest)
	}
}

// endWhere ends the processes of the hooks whose key satisfies which, after
// their requests.
func (p *Pool) endWhere(which func(id) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, key := range slices.Collect(maps.Keys(p.all)) {
		if r := p.all[key]; r != nil && which(key) {
			p.release(key, r)
		}
	}
}

// EndSession ends the processes of a session.
func (p *Pool) EndSession(session string) {
	p.endWhere(func(k id) bool { return k.session == session })
}

// Empty reports whether no process is kept.
func (p *Pool) Empty() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all) == 0
}

// KeepOnly ends the processes of a project's hooks other than those with one of the HOOK.md files.
func (p *Pool) KeepOnly(project string, files map[string]bool) {
	p.endWhere(func(k id) bool { return k.project == project && !files[k.file] })
}

// Close ends all processes and waits for them, after the notifications that can
// be sent soon.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	told := make([]<-chan struct{}, 0, len(p.all))
	for _, r := range p.all {
		told = append(told, r.told)
	}
	p.mu.Unlock()
	await(time.After(grace), told)
	p.mu.Lock()
	for _, r := range p.all {
		p.end(r, grace)
	}
	clear(p.all)
	p.mu.Unlock()
	p.ending.Wait()
}
