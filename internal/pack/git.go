package pack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/agent-hooks/agent-hooks/exec"
	"github.com/agent-hooks/agent-hooks/internal/shown"
	"github.com/agent-hooks/agent-hooks/internal/trust"
)

// Git fetches commits.
type Git struct {
	Program string        // the path of git; "" if it is not installed
	Environ []string      // of the user; git gets a part of it
	Timeout time.Duration // for one fetch
	Max     int64         // bytes of one fetch
	Temp    string        // where it writes; "" for the system's directory
}

// repository is a repository of which one commit is read. One that was fetched is bare, and in dir.
type repository struct {
	Git
	dir    string   // a temporary directory
	git    string   // the repository's; "" for the one around dir
	object string   // what git calls the commit
	commit string   // the commit that object is expected to be, and is after open; "" for any
	newer  []string // the tags of later versions than the one that is pinned, the latest last
}

// fetch fetches the commit that a ref names now, or the default branch for "". The caller must
// remove the repository's directory.
func (g Git) fetch(ctx context.Context, source Source, ref string) (r *repository, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, g.Timeout, fmt.Errorf("%s: no answer within %s", source.Text, g.Timeout))
	defer cancel()
	r, full, err := g.start(ctx, source, ref)
	if err != nil {
		return nil, err
	}
	if err := r.fetch(ctx, source, full, "--depth=1"); err != nil {
		os.RemoveAll(r.dir)
		return nil, err
	}
	if isCommit(ref) {
		r.commit = ref
	}
	return r, nil
}

// start returns an empty repository for what a ref of a source names, and the ref's full name.
func (g Git) start(ctx context.Context, source Source, ref string) (r *repository, full string, err error) {
	if g.Program == "" {
		return nil, "", errors.New("git is not installed, and the source is a git repository")
	}
	dir, err := trust.Scratch(g.Temp)
	if err != nil {
		return nil, "", err
	}
	r = &repository{Git: g, dir: dir, git: filepath.Join(dir, "pack.git"), object: fetched}
	full, id, err := r.resolve(ctx, source, ref)
	if err == nil {
		init := []string{"init", "--quiet", "--bare", "--template="}
		if len(id) == 64 {
			init = append(init, "--object-format=sha256")
		}
		_, err = r.run(ctx, append(init, r.git)...)
	}
	if err != nil {
		os.RemoveAll(dir)
	}
	return r, full, err
}

// Holds returns an error unless a commit is what a tag names, or is in the history of a branch, of
// the default branch for "" or, if ref is a commit, of any branch: hosts also serve the commits of a
// repository's forks by their identifiers.
func (g Git) Holds(ctx context.Context, source Source, ref, commit string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, g.Timeout, fmt.Errorf("%s: no answer within %s", source.Text, g.Timeout))
	defer cancel()
	r, full, err := g.start(ctx, source, ref)
	if err != nil {
		return err
	}
	defer os.RemoveAll(r.dir)
	if strings.HasPrefix(full, "refs/tags/") {
		err := r.fetch(ctx, source, full, "--depth=1")
		if err != nil {
			return err
		}
		if now, err := r.run(ctx, "rev-parse", fetched+"^{commit}"); err != nil || strings.TrimSpace(now) != commit {
			return fmt.Errorf("the tag %s is another commit now", ref)
		}
		return nil
	}
	where := cmp.Or(ref, "the default branch")
	if isCommit(ref) {
		full, where = "refs/heads/*", "any branch"
	}
	if err := r.fetch(ctx, source, full, "--filter=tree:0"); err != nil {
		return err
	}
	if refs, err := r.run(ctx, "for-each-ref", "--contains", commit, "refs/pack"); err != nil || refs == "" {
		return fmt.Errorf("the commit is not in the history of %s", where)
	}
	return nil
}

// fetched is the ref that a fetch writes.
const fetched = "refs/pack/fetched"

// resolve returns the full name of a ref at the source, and the identifier that it has now. A
// commit is its own name.
func (r *repository) resolve(ctx context.Context, source Source, ref string) (full, id string, err error) {
	names := []string{"HEAD"}
	switch {
	case isCommit(ref), strings.HasPrefix(ref, "refs/"):
		names = []string{ref}
	case ref != "":
		names = []string{"refs/heads/" + ref, "refs/tags/" + ref}
	}
	out, err := r.run(ctx, slices.Concat([]string{"ls-remote", "--quiet", "--", source.Text}, names, []string{"refs/tags/*"})...)
	if err != nil {
		return "", "", err
	}
	r.newer = newerTags(out, ref)
	if isCommit(ref) {
		return ref, ref, nil
	}
	for line := range strings.Lines(out) {
		oid, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !slices.Contains(names, name) || !isCommit(oid) { // patterns also match the ends of names
			continue
		}
		if full != "" && full != name {
			return "", "", fmt.Errorf("%s has a branch and a tag %q; write refs/heads/%s or refs/tags/%s", source.Text, ref, ref, ref)
		}
		full, id = name, oid
	}
	switch {
	case full != "":
		return full, id, nil
	case ref == "":
		return "", "", fmt.Errorf("%s has no default branch; --ref selects one", source.Text)
	}
	return "", "", fmt.Errorf("%s has no branch or tag %q (a commit needs all its digits)", source.Text, ref)
}

// fetch fetches the extent of a ref, and stops git if that takes too much room.
func (r *repository) fetch(ctx context.Context, source Source, full, extent string) error {
	to := fetched
	if strings.HasSuffix(full, "/*") {
		to += "/*"
	}
	tooLarge := fmt.Errorf("%s: the commit is larger than %d MiB", source.Text, r.Max>>20)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		for tick := time.NewTicker(20 * time.Millisecond); ; {
			select {
			case <-ctx.Done():
				tick.Stop()
				return
			case <-tick.C:
				if size(r.git) > r.Max {
					cancel(tooLarge)
				}
			}
		}
	}()
	_, err := r.run(ctx, "fetch", "--quiet", extent, "--no-tags", "--no-recurse-submodules", "--no-write-fetch-head", "--no-auto-maintenance",
		"--", source.Text, "+"+full+":"+to)
	if err == nil && size(r.git) > r.Max {
		err = tooLarge
	}
	return err
}

// size returns the bytes below a directory.
func size(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // removed meanwhile
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
		return nil
	})
	return sum
}

// arguments returns the arguments of git with options that override the user's and the system's
// configuration: nothing starts a program except the transport and the user's credential helper, and
// objects of any size need little memory. The repository's path is the only one of the pack's; a
// project's configuration is never read, because git does not run in the project.
func (r *repository) arguments(args ...string) []string {
	all := []string{"git"}
	if r.git != "" {
		all = append(all, "--git-dir="+r.git)
	}
	for _, option := range []string{
		"core.hooksPath=" + filepath.Join(r.dir, "none"), "core.fsmonitor=false", "core.askPass=", "core.bigFileThreshold=1m",
		"gc.auto=0", "maintenance.auto=false", "fetch.recurseSubmodules=false", "fetch.writeCommitGraph=false", "fetch.unpackLimit=1",
		"transfer.bundleURI=false", "http.followRedirects=initial", "http.lowSpeedLimit=1", "http.lowSpeedTime=30", "credential.interactive=false",
	} {
		all = append(all, "-c", option)
	}
	return append(all, args...)
}

// run runs git and returns its output. It has no terminal, so neither git nor ssh can prompt, and
// all its processes end with it.
func (r *repository) run(ctx context.Context, args ...string) (string, error) {
	result := exec.Run(ctx, exec.Command{
		Path: r.Program, Args: r.arguments(args...), Dir: r.dir, Env: r.environ(), MaxStdout: 8 << 20, MaxStderr: 8 << 10, Tail: true,
	})
	var start *exec.StartError
	switch {
	case result.Canceled:
		return "", context.Cause(ctx)
	case errors.As(result.Err, &start):
		return "", start
	case result.Err != nil:
		return "", result.Err
	case result.Signal != "":
		return "", fmt.Errorf("git %s was killed by %s", args[0], result.Signal)
	case result.Status != 0:
		return "", fmt.Errorf("git %s: %s", args[0], complaint(string(result.Stderr.Data), result.Status))
	case result.Stdout.Dropped > 0:
		return "", fmt.Errorf("git %s: too much output", args[0])
	}
	return string(result.Stdout.Data), nil
}

// complaint returns the reason why git failed, from its messages; text of the server is among
// them.
func complaint(stderr string, status int) string {
	var reasons, others []string
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if text, fatal := strings.CutPrefix(line, "fatal: "); fatal {
			reasons = append(reasons, text)
		} else if line != "" {
			others = append(others, line)
		}
	}
	text := strings.Join(append(others[max(0, len(others)-3):], reasons...), "; ")
	return cmp.Or(shown.Text(text), fmt.Sprintf("exit status %d", status))
}

// environ returns the environment of git: the variables that git and its transports need to reach
// a host, and none that begins with GIT_. The user's own git configuration counts, because private
// repositories need them.
func (r *repository) environ() []string {
	kept := []string{
		"PATH", "HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME", "TMPDIR", "SSH_AUTH_SOCK", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
		"USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP",
	}
	environ := []string{
		"LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=https:ssh:file", "GIT_OPTIONAL_LOCKS=0", "GCM_INTERACTIVE=never", "SSH_ASKPASS_REQUIRE=never",
	}
	for _, variable := range r.Environ {
		name, _, _ := strings.Cut(variable, "=")
		if slices.Contains(kept, strings.ToUpper(name)) {
			environ = append(environ, variable)
		}
	}
	return environ
}
