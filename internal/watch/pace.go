package watch

import (
	"cmp"
	"os"
	"path/filepath"
	"time"
)

// Pace spaces the runs of one hook. Each change is followed by a run that begins
// after it, so that no save is lost, whoever changed what; but the files that
// change with each run, again and again, are likely to be changed by it, and
// make it run less and less often. Who has changed a file cannot be known, so it
// takes many rounds until that is said.
type Pace struct {
	rounds  int       // runs, each on the event and in the cases
	began   time.Time // the last round; zero: there was none
	ended   time.Time // its last run so far
	streaks map[string]streak
}

// streak is of one file: rounds in a row that came with a change of it.
type streak struct {
	round  int // the last of them
	weight int
	pauses int
	told   bool // that the hook waits
	saved  bool // a change came when the hook did not run
}

// What a change weighs that comes as the hook runs, and one that comes right
// after, such as of what it has left running. Someone who saves while a slow hook
// runs, or whose editor saves twice, is not held up before forbearance ends,
// with ten rounds in a row; until then, a hook that changes itself runs on.
const (
	asItRuns    = 4
	rightAfter  = 1
	forbearance = 40
)

// surely is how many pauses it takes to find that a hook itself changes a file:
// someone who saves it does so between two runs as well.
const surely = 3

const (
	moment      = time.Second
	firstPause  = time.Second
	mostPause   = 30 * time.Second
	coarseClock = 20 * time.Millisecond // of files
)

// Wait is what a change makes of the hook's next run.
type Wait struct {
	Pause time.Duration
	Known bool // that it pauses is told already
	Quiet bool // and the hook does this itself: what is as before is not told
}

// Judge finds out how long a hook waits until it runs on a change.
func (p *Pace) Judge(change HookChange, now time.Time) Wait {
	files := change.Files
	if len(files) == 0 || change.After == nil || change.Before == nil {
		files = []string{""} // the whole
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

// tell notes that the pause is told until the streaks of these files end.
func (p *Pace) tell(files []string) {
	for _, file := range files {
		s := p.streaks[file]
		s.told = true
		p.streaks[file] = s
	}
}

// weigh returns how much speaks for it that the hook itself has changed a
// file, at that time as the file says, and now as it is seen.
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

// count adds a change to the streak of its file, once in a round.
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

// Begin says that a round begins.
func (p *Pace) Begin(now time.Time) {
	p.rounds++
	p.began = now
}

// End says that a run has ended, if it was one: what has no cases is not run in
// them.
func (p *Pace) End(now time.Time, ran bool) {
	if p.ended = now; !ran {
		p.began = time.Time{}
	}
}
