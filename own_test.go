package agenthooks_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"testing"
	"time"

	agenthooks "github.com/agent-hooks/agent-hooks"
	"github.com/agent-hooks/agent-hooks/internal/own"
	"github.com/agent-hooks/agent-hooks/protocol"
	"github.com/agent-hooks/agent-hooks/spec"
)

const keeper = `matcher: {tool: Shell, pattern: .}
metadata: {match: paths, access: [%s], own: pass, undecided: pass, answer: {decision: deny, reason: it was there}}
`

// repository makes the project a repository of git, in which everything is committed.
const repository = "git init -q; git config user.name a; git config user.email a@example.com; git add .; git commit -qm a; "

// ownScratch is a project in which a session has made its first call.
type ownScratch struct{ *scratch }

func newOwnScratch(t *testing.T) ownScratch {
	onUnix(t, "links and modes")
	if !own.Since(time.Now().Add(-time.Minute)).Has(t.TempDir()) {
		t.Skip("the file system has no times of birth that count")
	}
	s := ownScratch{newScratch(t)}
	s.options.StateDir = filepath.Join(t.TempDir(), "state")
	s.answering("keep", fmt.Sprintf(keeper, "remove, remove-tree"))
	s.sh("mkdir old; echo work > old/f; echo test > old_test.go; sleep 0.05")
	s.allows("true")
	s.tick()
	return s
}

// tick waits for the next tick of the system's clock: files are born by the last one.
func (s ownScratch) tick() {
	s.Helper()
	begun, file := time.Now(), filepath.Join(s.TempDir(), "tick")
	for born := (time.Time{}); !born.After(begun); {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			s.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			s.Fatal(err)
		}
		born = info.ModTime()
	}
}

// sh changes the project, as a tool does.
func (s ownScratch) sh(script string) {
	s.Helper()
	cmd := osexec.Command("sh", "-c", script)
	cmd.Dir = s.project
	if out, err := cmd.CombinedOutput(); err != nil {
		s.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// call is a call of a session.
func (s ownScratch) call(session, command string) *agenthooks.Report {
	event, _ := json.Marshal(map[string]any{
		"session_id": session, "tool_name": "Bash", "tool_input": map[string]string{"command": command}, "work_dir": s.project,
	})
	return s.run(spec.PreToolCall, string(event))
}

func (s ownScratch) allows(command string) {
	s.Helper()
	if r := s.call("a", command); r.Blocked {
		s.Errorf("%s: blocked: %s", command, r.Answer.Reason)
	}
}

func (s ownScratch) blocks(command string) {
	s.Helper()
	if r := s.call("a", command); !r.Blocked {
		s.Errorf("%s: not blocked", command)
	}
}

// What a session has made is its own, however it is named, and nothing that was there before
// (D156).
func TestOwn(t *testing.T) {
	for name, test := range map[string]struct{ made, allowed, blocked string }{
		"a folder":            {made: "mkdir -p new/a; echo > new/a/b", allowed: "rm -rf new"},
		"a file":              {made: "echo > new_test.go", allowed: "rm new_test.go"},
		"from a folder":       {made: "mkdir new", allowed: "cd new && rm -rf ../new"},
		"all that is in it":   {made: "mkdir new; echo > new/a", allowed: "rm -rf new/*"},
		"found in it":         {made: "mkdir new; echo > new/a", allowed: "find new -delete"},
		"by a program":        {made: "mkdir new", allowed: `python3 -c "import shutil; shutil.rmtree('new')"`},
		"a copy":              {made: "cp -rp old new", allowed: "rm -rf new"},
		"a link to an old":    {made: "ln -s old new", allowed: "rm new"},
		"with links in it":    {made: "mkdir -p new/a; ln -s ../old/f new/old; ln -s a new/b; ln -s none new/c", allowed: "rm -rf new"},
		"a link to a folder":  {made: "mkdir new; ln -s ../old new/old", blocked: "rm -rf new/*/"},
		"found through it":    {made: "mkdir new; ln -s ../old new/old", blocked: "find -L new -delete"},
		"old":                 {blocked: "rm -rf old"},
		"old, of two":         {made: "mkdir new", blocked: "rm -rf new old"},
		"an old file":         {blocked: "rm old_test.go"},
		"changed":             {made: "echo more >> old_test.go; chmod 600 old_test.go; touch old", blocked: "rm old_test.go"},
		"moved":               {made: "mv old new", blocked: "rm -rf new"},
		"moved, in a new one": {made: "mkdir new; mv old_test.go new", blocked: "rm -rf new"},
		"linked hard":         {made: "mkdir new; ln old/f new/f", blocked: "rm -rf new"},
		"through a link":      {made: "ln -s old new", blocked: "rm -rf new/"},
		"through a glob":      {made: "mkdir new; ln -s ../old new/old", blocked: "rm -rf new/*/f"},
		"in an old folder":    {made: "echo > old/new", blocked: "rm -rf old"},
		"moved in the text":   {made: "mkdir new", blocked: "mv old new && rm -rf new"},
		"moved by a program":  {made: "mkdir new", blocked: `python3 -c "import os; os.rename('old', 'new/old')"; rm -rf new`},
		"moved there":         {made: "mkdir new", blocked: "mv old_test.go new; rm -rf new"},
		"not there":           {blocked: "rm -rf new"},
		"the project":         {made: "mkdir new", blocked: `rm -rf "$PWD"`},
		"whatever it is":      {made: "mkdir new", blocked: `rm -rf "$X"`},
		"something in it":     {made: "mkdir new", blocked: `rm -rf "new/$X"`},
		"too many":            {made: "mkdir new; cd new; seq 1000 | xargs touch", blocked: "rm -rf new"},
		"not quite too many":  {made: "mkdir new; cd new; seq 999 | xargs touch", allowed: "rm -rf new"},
		"too many together":   {made: "mkdir new more; cd new; seq 600 | xargs touch; cd ../more; seq 600 | xargs touch", blocked: "rm -rf new more"},
		"of the past":         {made: "echo > new_test.go; touch -d 2001-01-01 new_test.go", allowed: "rm new_test.go"},
		"replaced":            {made: "cp old_test.go new; mv new old_test.go", allowed: "rm old_test.go"},
		"replaced, of git":    {made: repository + "cp old_test.go new; mv new old_test.go", blocked: "rm old_test.go"},
		"again from git":      {made: repository + "rm -r old; git checkout -q .", blocked: "rm -rf old"},
		"all of it from git":  {made: repository + "rm -r old; git checkout -q .", blocked: "rm -rf old/*"},
		"beside git's":        {made: repository + "mkdir new ld; echo > new/old_test.go; echo > test.go", allowed: "rm -rf new ld test.go"},
		"in a worktree":       {made: repository + "git worktree add -q wt", blocked: "rm -rf wt/old"},
		"a worktree":          {made: repository + "git worktree add -q wt", allowed: "rm -rf wt"},
		"a clone":             {made: repository + "git clone -q . new; cd new; git checkout -q -b x", allowed: "rm -rf new"},
		"in version 4":        {made: repository + "git update-index --index-version 4; echo > new", blocked: "rm new"},
		"in a split index":    {made: repository + "git update-index --split-index; echo > new", blocked: "rm new"},
		"with a long flag":    {made: repository + "echo > new; echo > newer; git add -N new; rm new; echo > new", allowed: "rm newer", blocked: "rm new"},
		"unreadable":          {made: "mkdir -p new/a; echo > new/a/b; chmod 0 new/a", allowed: asRoot("rm -rf new"), blocked: asUser("rm -rf new")},
	} {
		t.Run(name, func(t *testing.T) {
			s := newOwnScratch(t)
			s.sh(test.made)
			defer s.sh("chmod -R u+rwx .")
			if test.allowed != "" {
				s.allows(test.allowed)
			}
			if test.blocked != "" {
				s.blocks(test.blocked)
			}
		})
	}
}

func asRoot(command string) string { return map[bool]string{true: command}[os.Geteuid() == 0] }
func asUser(command string) string { return map[bool]string{false: command}[os.Geteuid() == 0] }

// Nothing is a session's own if it is not certain that only the session has made it (D156).
func TestOwnSession(t *testing.T) {
	const made, command = "mkdir new", "rm -rf new"
	for name, test := range map[string]struct {
		before, after func(s ownScratch) // new is made
		allowed       bool
	}{
		"it goes on":   {allowed: true},
		"its subagent": {after: func(s ownScratch) { s.call("a", "true") }, allowed: true},
		"compacted":    {after: session("a", "compact"), allowed: true},
		"another before": {before: func(s ownScratch) {
			s.call("b", "true")
			s.sh("sleep 0.05")
			s.age("a", 2*time.Hour)
			s.call("a", "true")
			s.tick()
		}, allowed: true},
		"another that only started": {after: session("b", "startup"), allowed: true},
		"another beside it":         {after: func(s ownScratch) { s.call("b", "true") }},
		"another, resumed since":    {after: func(s ownScratch) { s.call("b", "true"); session("b", "resume")(s) }},
		"resumed":                   {after: session("a", "resume")},
		"started without a source":  {after: session("a", "")},
		"resumed, then made":        {before: func(s ownScratch) { session("a", "resume")(s); s.call("a", "true"); s.tick() }, allowed: true},
		"a day later":               {after: func(s ownScratch) { s.age("a", 24*time.Hour) }},
		"a day later, in its calls": {after: func(s ownScratch) { s.age("a", 24*time.Hour); s.sh("sleep 0.05"); s.call("a", "true") }},
		"the clock was set back":    {after: func(s ownScratch) { s.age("a", -2*time.Hour) }},
		"set back, in its calls":    {after: func(s ownScratch) { s.age("a", -2*time.Hour); s.sh("sleep 0.05"); s.call("a", "true") }},
		"not kept":                  {after: func(s ownScratch) { _ = os.RemoveAll(s.options.StateDir) }},
		"kept where others write":   {after: func(s ownScratch) { _ = os.Chmod(filepath.Join(s.options.StateDir, "agent-hooks", "sessions"), 0o777) }},
		"kept with nonsense":        {after: func(s ownScratch) { _ = os.WriteFile(s.kept("a"), []byte("1"), 0o600) }},
	} {
		t.Run(name, func(t *testing.T) {
			s := newOwnScratch(t)
			if test.before != nil {
				test.before(s)
			}
			s.sh(made)
			if test.after != nil {
				test.after(s)
			}
			if test.allowed {
				s.allows(command)
			} else {
				s.blocks(command)
			}
		})
	}
	t.Run("no session", func(t *testing.T) {
		s := newOwnScratch(t)
		s.call("", "true")
		s.sh(made)
		if r := s.call("", command); !r.Blocked {
			t.Error("not blocked")
		}
	})
	t.Run("in another project", func(t *testing.T) {
		s := newOwnScratch(t)
		s.sh(made)
		first := s.project
		s.project = filepath.Join(t.TempDir(), "second")
		s.options.Project = s.project
		s.answering("keep", fmt.Sprintf(keeper, "remove-tree"))
		s.blocks("rm -rf " + first + "/new")
	})
	t.Run("managed", func(t *testing.T) {
		s := newOwnScratch(t)
		s.sh(made)
		text := fmt.Sprintf(`{"session_id": "a", "tool_name": "Bash", "tool_input": {"command": %q}, "work_dir": %q}`, command, s.project)
		event, _ := protocol.ParseEvent(spec.PreToolCall, []byte(text), "2026-01-02T03:04:05Z")
		hooks := agenthooks.Load(s.options)
		row := hooks.Plan(event).Rows[0]
		if row.Runs {
			t.Error("it is not excepted")
		}
		row.Manage()
		if row := hooks.PlanOf(event, row.Hook).Rows[0]; row.Failed == agenthooks.InputMatch {
			t.Logf("%+v", row)

			t.Error("a managed hook excepts it")
		}
	})
}

// session starts a session, with a source.
func session(name, source string) func(ownScratch) {
	return func(s ownScratch) {
		s.run(spec.PreSession, fmt.Sprintf(`{"session_id": %q, "source": %q, "work_dir": %q}`, name, source, s.project))
	}
}

// kept returns the file of a session of the project.
func (s ownScratch) kept(session string) string {
	s.Helper()
	sum := sha256.Sum256([]byte(session))
	files, _ := filepath.Glob(filepath.Join(s.options.StateDir, "agent-hooks", "sessions", "*-"+hex.EncodeToString(sum[:16])))
	if len(files) != 1 {
		s.Fatalf("the files of session %s: %q", session, files)
	}
	return files[0]
}

// age sets the time of the last call of a session back.
func (s ownScratch) age(session string, by time.Duration) {
	then := time.Now().Add(-by)
	if err := os.Chtimes(s.kept(session), then, then); err != nil {
		s.Error(err)
	}
}

// A session without a hook that needs it keeps nothing, and one with such a hook a few bytes.
func TestOwnKeepsLittle(t *testing.T) {
	s := newOwnScratch(t)
	if info, err := os.Stat(s.kept("a")); err != nil || info.Size() != 8 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.RemoveAll(filepath.Join(s.hooks(), "keep")); err != nil {
		t.Fatal(err)
	}
	s.call("b", "true")
	session("b", "resume")(s)
	if files, _ := os.ReadDir(filepath.Join(s.options.StateDir, "agent-hooks", "sessions")); len(files) != 1 {
		t.Errorf("%v", files)
	}
}

func BenchmarkOwn(b *testing.B) {
	dir := b.TempDir()
	for i := range spec.MaxOwn - 1 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if !own.Since(time.Now().Add(-time.Hour)).Has(dir) {
			b.Skip("the file system has no times of birth that count")
		}
	}
}
