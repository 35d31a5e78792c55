package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/agent-hooks/agent-hooks/e2e/cage"
	"github.com/agent-hooks/agent-hooks/e2e/model"
)

// modelAddress is the address of the scripted model. The network namespace has no other
// listener.
const modelAddress = "127.0.0.1:8080"

// jobArgument, as the first argument, makes this program run a job.
const jobArgument = "job"

const modelURL = "http://" + modelAddress

// detachedGrace is the time for hooks that the client left running before the namespace ends.
const detachedGrace = 300 * time.Millisecond

// job is the content of one cage: a scripted model, and commands that run one after another.
type job struct {
	Folder   string // the run's folder, which contains home, work and log
	Script   []model.Step
	Commands []command
	User     int // runs the commands; 0: root
}

// command is one process of a job.
type command struct {
	Name      string
	Args      []string
	Env       []string // in addition to the job's
	Timeout   time.Duration
	TrustHook bool         // approve Codex's hooks instead of running a process; Args is its program
	Plan      string       // a prompt for Codex's plan mode instead of running a process; Args is its program
	Dir       string       // instead of the work folder
	Terminal  *terminal    // nil: without one
	Root      bool         // as root, in a job with another user
	Script    []model.Step // of the model from now on; nil: it goes on with its script
}

// outcome is the result of a command. Its output is in the log folder.
type outcome struct {
	Name     string
	Status   int // -1 for a signal or a timeout
	TimedOut bool
	Seconds  float64
	Stdout   string
	Stderr   string
}

func (j job) home() string { return filepath.Join(j.Folder, "home") }
func (j job) work() string { return filepath.Join(j.Folder, "work") }
func (j job) log() string  { return filepath.Join(j.Folder, "log") }

// accounts is the account database of the cage. The home folder of the user is the run's:
// another HOME near the project could be the project's choice, and agent-hooks would not use it.
func (j job) accounts() string { return filepath.Join(j.Folder, "passwd") }

// accountLines returns the content of accounts.
func (j job) accountLines() string {
	user := fmt.Sprintf("%s:x:%d:%d:%s:%s:/bin/bash\n", j.userName(), j.User, j.User, j.userName(), j.home())
	if j.User == 0 {
		return user
	}
	return "root:x:0:0:root:" + j.rootHome() + ":/bin/bash\n" + user
}

// rootHome is the home folder of root in a job with another user.
func (j job) rootHome() string { return filepath.Join(j.Folder, "root") }

func (j job) userName() string {
	if j.User == 0 {
		return "root"
	}
	return "dev"
}

const (
	jobFile      = "job.json"
	outcomesFile = "outcomes.json"
	requestsFile = "requests.jsonl"
)

// confined runs the job in a cage, and returns the outcomes of its commands.
func (j job) confined(ctx context.Context, c cage.Cage, path string) ([]outcome, error) {
	if err := writeJSON(filepath.Join(j.Folder, jobFile), j); err != nil {
		return nil, err
	}
	c.User, c.Writable, c.Args = j.User, j.Folder, []string{jobArgument, j.Folder}
	cmd, err := cage.Command(ctx, c)
	if err != nil {
		return nil, err
	}
	cmd.Env = j.environment(path)
	output, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("cage: %w: %s", err, output)
	}
	var outcomes []outcome
	return outcomes, readJSON(filepath.Join(j.log(), outcomesFile), &outcomes)
}

// environment returns the complete environment of the clients.
func (j job) environment(path string) []string {
	return []string{"HOME=" + j.home(), "PATH=" + path, "LANG=C.UTF-8", "TERM=dumb", "SHELL=/bin/bash", "USER=" + j.userName(), "TMPDIR=/tmp"}
}

// runJob runs a job inside the cage, as a child of the cage's first process.
func runJob(folder string) error {
	var j job
	if err := readJSON(filepath.Join(folder, jobFile), &j); err != nil {
		return err
	}
	requests, err := os.Create(filepath.Join(j.log(), requestsFile))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", modelAddress)
	if err != nil {
		return err
	}
	server := &model.Server{Script: j.Script, Dir: j.work(), Log: requests, Delay: 200 * time.Millisecond}
	go http.Serve(listener, server)
	var outcomes []outcome
	for _, c := range j.Commands {
		if c.Script != nil {
			server.Begin(c.Script)
		}
		o, err := j.run(c)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		outcomes = append(outcomes, o)
	}
	time.Sleep(detachedGrace)
	return writeJSON(filepath.Join(j.log(), outcomesFile), outcomes)
}

func (j job) run(c command) (outcome, error) {
	started := time.Now()
	o := outcome{Name: c.Name}
	ctx, cancel := context.WithTimeout(context.Background(), c.Timeout)
	defer cancel()
	var err error
	if c.TrustHook {
		err = j.trustCodexHooks(ctx, c)
	} else if c.Plan != "" {
		err = j.planInCodex(ctx, c)
	} else if c.Terminal != nil {
		err = j.startOnTerminal(ctx, c)
	} else {
		err = j.start(ctx, c, &o)
	}
	o.Seconds = time.Since(started).Seconds()
	o.TimedOut = ctx.Err() != nil
	return o, err
}

func (j job) start(ctx context.Context, c command, o *outcome) error {
	cmd := j.process(ctx, c)
	stdout, err := os.Create(filepath.Join(j.log(), c.Name+".out"))
	if err != nil {
		return err
	}
	defer stdout.Close()
	stderr, err := os.Create(filepath.Join(j.log(), c.Name+".err"))
	if err != nil {
		return err
	}
	defer stderr.Close()
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err = cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return err
	}
	o.Status = cmd.ProcessState.ExitCode()
	o.Stdout, o.Stderr = readText(stdout.Name()), readText(stderr.Name())
	return nil
}

// process returns the process of a command.
func (j job) process(ctx context.Context, c command) *exec.Cmd {
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = cmp.Or(c.Dir, j.work()), append(os.Environ(), c.Env...), time.Second
	switch {
	case j.User == 0:
	case c.Root:
		cmd.Env = append(cmd.Env, "HOME="+j.rootHome(), "USER=root")
	default:
		cage.As(cmd, j.User)
	}
	return cmd
}

func readText(path string) string {
	data, _ := os.ReadFile(path)
	return string(data)
}

func writeJSON(path string, value any) error {
	data, err := json.MarshalIndent(value, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o600)
}

func readJSON(path string, value any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, value)
}
