package watch

import (
	"cmp"
	"os"
	"path/filepath"
	"time"
)

// Pace limits how often a changed hook runs. Each change is followed by a run that begins after
// it, so that no save is lost. But files that change with every run are probably changed by the
// hook itself; such changes make it run less and less often. The author of a change cannot be
// known, so it takes many rounds until this is reported.
type Pace struct {
	rounds  int       // number of runs, each on the event and the cases
	began   time.Time // start of the last round; zero: there was none
	ended   time.Time // end of its last run so far
	streaks map[string]streak
}

// streak counts the consecutive rounds in which one file changed.
type streak struct {
	round  int // the last of them
	weight int
	pauses int
	told   bool // the wait was reported
	saved  bool // a change came while the hook was not running
}

// The weights of a change during a run, and of a change right after it, for example by a
// process that the hook left running. A user who saves while a slow hook runs, or whose editor
// saves twice, is not delayed before forbearance is exceeded, after ten rounds in a row. Until
// then, a hook that changes itself continues to run.
const (
	asItRuns    = 4
	rightAfter  = 1
	forbearance = 40
)

// surely is the number of pauses after which a hook is assumed to change a file itself: a user
// would also save it between two runs.
const surely = 3

const (
	moment      = time.Second
	firstPause  = time.Second
	mostPause   = 30 * time.Second
	coarseClock = 20 * time.Millisecond // of files
)

// Wait describes how a change affects the hook's next run.
type Wait struct {
	Pause time.Duration
	Known bool // the pause has already been reported
	Quiet bool // the hook causes this itself: unchanged results are not reported
}

// Judge returns how long a hook waits until it runs after a change.
func (p *Pace) Judge(change HookChange, now time.Time) Wait {
	files := change.Files
	if len(files) == 0 || change.After == nil || change.Before == nil {
		files = []string{""} // the hook as a whole
	}
	hook := change.Hook()
	dir := cmp.Or(hook.Origin, hook.Dir)
	w := Wait{Pause: mostPause, Quiet: true}
	for _, file := range files {
		at := now
		if info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(file))); err == nil && file != "" {
			at = info.ModTime()
		}
		s := p.count(file, p.weigh(at, now))
		w.Pause = min(w.Pause, s.pause())
		w.Known = w.Known || s.told
		w.Quiet = w.Quiet && file != "" && !s.saved && s.pauses >= surely
	}
	w.Quiet = w.Quiet && w.Known
	if w.Pause > 0 {
		p.tell(files)
	}
	return w
}

// tell records that the pause has been reported, until the streaks of these files end.
func (p *Pace) tell(files []string) {
	for _, file := range files {
		s := p.streaks[file]
		s.told = true
		p.streaks[file] = s
	}
}

// weigh returns the weight of the evidence that the hook itself changed a file. at is the
// file's time, and now the time of detection.
func (p *Pace) weigh(at, now time.Time) int {
	running := p.ended.Before(p.began)
	switch {
	case p.began.IsZero():
		return 0
	case !at.Before(p.began.Add(-coarseClock)) && (running || at.Before(p.ended.Add(coarseClock))):
		return asItRuns
	case running || now.Before(p.ended.Add(moment)):
		return rightAfter
	}
	return 0
}

// count adds a change to the streak of its file, once per round.
func (p *Pace) count(file string, weight int) streak {
	s := p.streaks[file]
	switch {
	case weight == 0 || s.round < p.rounds-1:
		s = streak{round: p.rounds, weight: weight}
	case s.round < p.rounds:
		s.round = p.rounds
		if s.weight += weight; s.weight > forbearance {
			s.pauses++
		}
	}
	s.saved = s.saved || weight == rightAfter
	if p.streaks == nil {
		p.streaks = map[string]streak{}
	}
	p.streaks[file] = s
	return s
}

func (s streak) pause() time.Duration {
	pause := time.Duration(0)
	for range s.pauses {
		pause = min(max(firstPause, 2*pause), mostPause)
	}
	return pause
}

// Begin records the start of a round.
func (p *Pace) Begin(now time.Time) {
	p.rounds++
	p.began = now
}

// End records the end of a run. ran is false if nothing ran, as for a hook without cases.
func (p *Pace) End(now time.Time, ran bool) {
	if p.ended = now; !ran {
		p.began = time.Time{}
	}
}
