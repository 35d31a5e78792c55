package agenthooks

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agent-hooks/agent-hooks/discovery"
	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/stamp"
	"github.com/agent-hooks/agent-hooks/spec"
)

const (
	maxFiles      = 4096                   // files of a hook's folder that are compared
	maxResidents  = 64                     // kept processes; more only while all are busy
	residentGrace = 500 * time.Millisecond // time for a process to exit after its stdin is closed
)

// residents holds the processes of hooks that converse, which are kept for a
// session.
type residents struct {
	// starting has a lock for each project, which is held while files are
	// compared and a process is started: one project must not delay another.
	starting sync.Map // string -> *sync.Mutex

	mu     sync.Mutex // guards the fields below
	all    map[residentKey]*resident
	uses   int // counts uses, to find the least recently used process
	closed bool
	ending sync.WaitGroup
}

// residentKey identifies a hook's process. Several hooks may have the same one.
type residentKey struct{ session, project, dir, file string }

// resident is a kept process.
type resident struct {
	*hookProcess
	// sources are those of the hooks that use the process, and own is that of
	// the hook that started it. Guarded by the project's lock.
	sources map[residentKey]*source
	own     *source
	busy    int // requests in progress
	used    int
	told    <-chan struct{} // closed after the last notification; nil before the first
}

// talk sends the event to the hook's process for the session. If a process that
// was started for an earlier event ends without an answer, talk starts a new
// one and sends the event again. kept is false if processes are no longer kept.
func (k *residents) talk(ctx context.Context, r *performer, t *turn) (result exec.Result, err error, kept bool) {
	key := k.keyOf(r, t)
	for {
		p, fresh, err := k.take(key, t)
		if p == nil {
			return exec.Result{Status: -1}, err, err != nil
		}
		p.process.Raise(t.prepared.MaxStdout)
		await(ctx.Done(), []<-chan struct{}{k.lastTold(p)})
		answer, err := p.ask(ctx, t.foreign)
		result := p.result(answer)
		if err == nil && answer == nil {
			result.Status = spec.ExitContinue
		}
		k.done(key, p, err)
		if errors.As(err, &errLeft{}) && !fresh && ctx.Err() == nil {
			continue
		}
		return result, err, true
	}
}

func (k *residents) keyOf(r *performer, t *turn) residentKey {
	return residentKey{r.event.SessionID, r.plan.hooks.Project.Root, t.prepared.Dir, t.row.Hook.File}
}

// take returns the process for a request, nil if processes are not kept or it
// cannot be started. fresh reports whether it was started for this request.
func (k *residents) take(key residentKey, t *turn) (p *resident, fresh bool, err error) {
	lock, _ := k.starting.LoadOrStore(key.project, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	for {
		p, closed := k.find(key)
		if closed {
			return nil, false, nil
		}
		if p == nil {
			p = k.share(key, t)
		}
		fresh = p == nil || p.gone() || !p.current(key, t)
		if fresh {
			old := p
			p, err = start(key, t)
			k.replace(key, old, p, old != nil && (old.gone() || !old.own.same()))
			if err != nil {
				return nil, true, err
			}
		}
		if k.use(key, p) { // otherwise it was ended meanwhile
			return p, fresh, nil
		}
	}
}

func (k *residents) find(key residentKey) (p *resident, closed bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.all[key], k.closed
}

// replace keeps p for a hook instead of old. Either may be nil. The other hooks
// that use old keep it unless it is outdated for them, too.
func (k *residents) replace(key residentKey, old, p *resident, outdated bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if old != nil && k.all[key] == old {
		k.release(key, old)
		if outdated && k.keeps(old) {
			k.drop(old)
		}
	}
	switch {
	case p == nil:
	case k.closed:
		go p.process.End(0)
	default:
		if k.all == nil {
			k.all = map[residentKey]*resident{}
		}
		k.all[key] = p
		k.evict()
	}
}

// use records the begin of a request. It returns false if p is no longer kept.
func (k *residents) use(key residentKey, p *resident) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all[key] != p {
		return false
	}
	k.uses++
	p.busy, p.used = p.busy+1, k.uses
	return true
}

func start(key residentKey, t *turn) (*resident, error) {
	own := sourceOf(key, t)
	p, err := startHook(t)
	if err != nil {
		return nil, err
	}
	return &resident{hookProcess: p, own: own, sources: map[residentKey]*source{key: own}}, nil
}

// share returns the process of another hook that runs the same program, and
// keeps it for this hook, too; nil if there is none. An entry of PicoClaw's
// settings is one process for all of its events, and import makes a hook of
// each.
func (k *residents) share(key residentKey, t *turn) *resident {
	var s *source
	for _, p := range k.others(key) {
		if s == nil {
			s = sourceOf(key, t)
		}
		if p.gone() || !p.own.shares(s) {
			continue
		}
		k.mu.Lock()
		kept := k.keeps(p)
		if kept {
			k.all[key] = p
		}
		k.mu.Unlock()
		if kept {
			p.sources[key] = s
			return p
		}
	}
	return nil
}

// others returns the processes of other hooks in a key's session and directory.
func (k *residents) others(key residentKey) (all []*resident) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for other, p := range k.all {
		if other.file = key.file; other == key && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	return all
}

// current reports whether a process that was started now for the hook would be
// the same.
func (p *resident) current(key residentKey, t *turn) bool {
	s := p.sources[key]
	return s != nil && commandOf(t.prepared) == s.command && s.same() && (s == p.own || p.own.same())
}

func (p *hookProcess) gone() bool {
	select {
	case <-p.process.Ended():
		return true
	default:
		return false
	}
}

// done records the end of a request. A process that did not answer in time, or
// gave an unreadable answer, is ended (D34).
func (k *residents) done(key residentKey, p *resident, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p.busy--
	lost := errors.Is(err, errTimeout) || errors.Is(err, errBroken)
	switch {
	case k.keeps(p) && (lost || p.gone()):
		k.drop(p)
	case !k.keeps(p) && p.busy == 0:
		k.end(p, residentGrace)
	}
	if lost {
		k.end(p, 0)
	}
}

// keeps reports whether a process is kept. That is as long as the hook that
// started it uses it: another hook's folder may be removed.
func (k *residents) keeps(p *resident) bool { return k.all[p.own.key] == p }

// release removes a hook from those that use a process.
func (k *residents) release(key residentKey, p *resident) {
	if key == p.own.key {
		k.drop(p)
	} else {
		delete(k.all, key)
	}
}

// drop removes a process, which ends after its last request.
func (k *residents) drop(p *resident) {
	maps.DeleteFunc(k.all, func(_ residentKey, kept *resident) bool { return kept == p })
	if p.busy == 0 {
		k.end(p, residentGrace)
	}
}

func (k *residents) end(p *resident, grace time.Duration) {
	k.ending.Go(func() { p.process.End(grace) })
}

// evict limits the number of processes.
func (k *residents) evict() {
	for {
		kept := map[*resident]bool{}
		var oldest *resident
		for _, p := range k.all {
			kept[p] = true
			if p.busy == 0 && p.used > 0 && (oldest == nil || p.used < oldest.used) {
				oldest = p
			}
		}
		if len(kept) <= maxResidents || oldest == nil {
			return
		}
		k.drop(oldest)
	}
}

// endWhere ends the processes of the hooks whose key satisfies which, after
// their requests.
func (k *residents) endWhere(which func(residentKey) bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, key := range slices.Collect(maps.Keys(k.all)) {
		if p := k.all[key]; p != nil && which(key) {
			k.release(key, p)
		}
	}
}

// endSession ends the processes of the event's session if the session ends.
func (r *runner) endSession() {
	if kept, id := r.plan.hooks.residents, r.event.SessionID; kept != nil && r.event.Type == spec.PostSession {
		kept.endWhere(func(key residentKey) bool { return key.session == id })
	}
}

// keepOnly ends the processes of a project's hooks that are no longer in the
// table or cannot run.
func (k *residents) keepOnly(h *Hooks) {
	k.mu.Lock()
	idle := len(k.all) == 0
	k.mu.Unlock()
	if idle {
		return
	}
	files := map[string]bool{}
	for _, rows := range h.Table {
		for _, hook := range rows {
			files[hook.File] = files[hook.File] || hook.State == discovery.Active
		}
	}
	k.endWhere(func(key residentKey) bool { return key.project == h.Project.Root && !files[key.file] })
}

// close ends all processes and waits for them, after the notifications that can
// be sent soon.
func (k *residents) close() {
	k.mu.Lock()
	k.closed = true
	told := make([]<-chan struct{}, 0, len(k.all))
	for _, p := range k.all {
		told = append(told, p.told)
	}
	k.mu.Unlock()
	await(time.After(residentGrace), told)
	k.mu.Lock()
	for _, p := range k.all {
		k.end(p, residentGrace)
	}
	clear(k.all)
	k.mu.Unlock()
	k.ending.Wait()
}

// source identifies what a process was started from: a command, and the files
// that the hook's folder contained. Files created later, such as a log, are
// ignored. A folder with too many files to compare has no source, so that a
// process of it is used only once and is never outdated.
type source struct {
	key     residentKey
	dir     string
	command string
	program string // what hooks of the same program have in common
	files   []seenFile
	all     bool // files are all files of the folder
	taken   time.Time
	digest  [sha256.Size]byte
}

func sourceOf(key residentKey, t *turn) *source {
	s := &source{key: key, dir: t.row.Hook.Dir, command: commandOf(t.prepared), program: programOf(t), taken: time.Now()}
	paths, all := filesOf(t.row.Hook.Dir)
	if s.all = all; !all {
		return s
	}
	for _, path := range paths {
		s.files = append(s.files, seenFile{path, stamp.Of(path)})
	}
	s.digest = s.read()
	return s
}

func commandOf(c *exec.Command) string {
	parts := slices.Concat([]string{c.Path, c.Dir}, c.Args, []string{""}, c.Env)
	return strings.Join(parts, "\x00")
}

// programOf describes a command without what identifies its hook.
func programOf(t *turn) string {
	c := *t.prepared
	relative := func(path string) string {
		rest, _ := strings.CutPrefix(path, t.row.Hook.Dir+string(filepath.Separator))
		return rest
	}
	c.Path, c.Args, c.Env = relative(c.Path), slices.Clone(c.Args), nil
	for i, arg := range c.Args {
		c.Args[i] = relative(arg)
	}
	for _, v := range t.prepared.Env {
		switch name, _, _ := strings.Cut(v, "="); name {
		case "AGENT_HOOKS_HOOK", "AGENT_HOOKS_HOOK_DIR", "AGENT_HOOKS_EVENT":
		default:
			c.Env = append(c.Env, v)
		}
	}
	return strings.Join([]string{string(t.row.Hook.Scope), t.row.Hook.Protocol, commandOf(&c)}, "\x00")
}

// shares reports whether two hooks run the same program: the same command, with
// files of the same names and contents besides HOOK.md and the tests.
func (s *source) shares(other *source) bool {
	if !s.all || !other.all || s.program != other.program {
		return false
	}
	one, whole := s.contents()
	another, wholeToo := other.contents()
	return whole && wholeToo && one == another
}

// contents returns a digest of the files of a hook's program. whole is false if
// they are too large to compare.
func (s *source) contents() (sum [sha256.Size]byte, whole bool) {
	program, room := source{}, int64(maxDigested)
	h := sha256.New()
	for _, f := range s.files {
		name, err := filepath.Rel(s.dir, f.path)
		first, _, _ := strings.Cut(filepath.ToSlash(name), "/")
		if err != nil || first == spec.HookFile || first == testsFolder {
			continue
		}
		info, err := os.Stat(f.path)
		if err != nil || info.Size() > room {
			return sum, false
		}
		room -= info.Size()
		fmt.Fprintf(h, "%q", name)
		program.files = append(program.files, f)
	}
	files := program.read()
	h.Write(files[:])
	h.Sum(sum[:0])
	return sum, true
}

// testsFolder is the folder of a hook's test cases, which are no part of it.
const testsFolder = "tests"

// filesOf returns the regular files of a hook's folder and of the directories to
// which links in it lead, except Python's caches. all is false if there are more
// than maxFiles.
func filesOf(dir string) (files []string, all bool) {
	seen := map[string]bool{}
	dirs := []string{dir}
	for len(dirs) > 0 {
		dir, dirs = dirs[0], dirs[1:]
		real, err := filepath.EvalSymlinks(dir)
		if err != nil || seen[real] {
			continue
		}
		seen[real] = true
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			path, mode := filepath.Join(dir, e.Name()), e.Type()
			if mode&os.ModeSymlink != 0 {
				if info, err := os.Stat(path); err == nil {
					mode = info.Mode()
				}
			}
			switch {
			case mode.IsDir() && e.Name() != "__pycache__":
				dirs = append(dirs, path)
			case mode.IsRegular():
				files = append(files, path)
			}
		}
		if len(files)+len(dirs) > maxFiles {
			return nil, false
		}
	}
	return files, true
}

// maxDigested is the number of bytes of the files that are compared by content.
const maxDigested = 16 << 20

// read returns a digest of the files.
func (s *source) read() (sum [sha256.Size]byte) {
	h, room := sha256.New(), int64(maxDigested)
	for _, f := range s.files {
		info, err := os.Stat(f.path)
		switch {
		case err != nil || !info.Mode().IsRegular():
			h.Write([]byte{0})
		case info.Size() > room:
			fmt.Fprint(h, info.Size(), info.ModTime().UnixNano())
		default:
			room -= info.Size()
			text, _ := os.ReadFile(f.path)
			one := sha256.Sum256(text)
			h.Write(one[:])
		}
	}
	h.Sum(sum[:0])
	return sum
}

// same reports whether the files have not changed.
func (s *source) same() bool {
	if !s.all {
		return false
	}
	same, now := true, time.Now()
	for _, f := range s.files {
		same = same && f.stamp == stamp.Of(f.path) && f.stamp.Settled(s.taken)
	}
	if same {
		return true
	}
	if s.read() != s.digest {
		return false
	}
	for i, f := range s.files {
		s.files[i].stamp = stamp.Of(f.path)
	}
	s.taken = now
	return true
}
