package install

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// These variables make the test binary a program in place of agent-hooks: its answers depend on words
// in the payload, and on the mode in which it serves. It appends what it was started as to a file.
const (
	standInVar = "INSTALL_TEST_STAND_IN"
	countVar   = "INSTALL_TEST_COUNT"
	binaryVar  = "INSTALL_TEST_BINARY" // the test binary itself
)

// plantStandIn puts the test binary into a directory as agent-hooks.
func plantStandIn(t *testing.T, dir string) string {
	t.Helper()
	name := "agent-hooks"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(dir, name)
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && os.Link(binary, path) == nil { // Windows does not remove a link to a running program
		return path
	}
	text, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// standIn is the program, if it is started as one.
func standIn() {
	mode := os.Getenv(standInVar)
	switch {
	case mode == "":
		return
	case mode == "sleep":
		time.Sleep(20 * time.Second)
	case len(os.Args) > 1 && os.Args[1] == "serve":
		count("serve")
		serve(mode)
	default:
		count("run")
		payload, _ := io.ReadAll(os.Stdin)
		answer(string(payload))
	}
	os.Exit(0)
}

func count(kind string) {
	f, err := os.OpenFile(os.Getenv(countVar), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err == nil {
		fmt.Fprintln(f, kind)
		f.Close()
	}
}

func answer(payload string) {
	for word, give := range map[string]func(){
		"deny-me":    func() { fmt.Fprintln(os.Stderr, "not here"); os.Exit(2) },
		"block-json": func() { fmt.Println(`{"block": "no"}`) },
		"change-me":  func() { fmt.Println(`{"args": {"command": "true"}}`) },
		"tell-me":    func() { fmt.Println(`{"context": "seen", "message": "hello"}`) },
		"go-on":      func() { fmt.Println(`{"continue": "more"}`) },
		"crash":      func() { fmt.Fprintln(os.Stderr, "oh"); os.Exit(1) },
		"noise":      func() { fmt.Println("no JSON") },
		"hold":       hold,
	} {
		if strings.Contains(payload, word) {
			give()
		}
	}
}

// hold leaves a process that has the streams open. It is not the stand-in, because Windows does not
// remove a running program.
func hold() {
	cmd := exec.Command(os.Getenv(binaryVar))
	cmd.Env = append(os.Environ(), standInVar+"=sleep")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	_ = cmd.Start()
}

// serve answers requests: well, or in the mode's wrong way.
func serve(mode string) {
	if mode == "none" || mode == "answers" {
		os.Exit(64)
	}
	held := ""
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var request struct{ ID int }
		_ = json.Unmarshal(in.Bytes(), &request)
		result := `{"blocked":false,"status":0,"stdout":"","stderr":""}`
		if strings.Contains(in.Text(), "deny-me") {
			result = `{"blocked":true,"status":2,"stdout":"","stderr":"not here"}`
		}
		reply := func(id int, key, value string) string {
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"%s":%s}`, id, key, value)
		}
		good := reply(request.ID, "result", result)
		switch mode {
		case "good":
			fmt.Println(`{"jsonrpc":"2.0","method":"hooks.changed","params":{}}`)
			fmt.Println(good)
		case "reversed":
			if held == "" {
				held = good
				continue
			}
			fmt.Println(good)
			fmt.Println(held)
			held = ""
		case "error":
			fmt.Println(reply(request.ID, "error", `{"code":-32602,"message":"no"}`))
		case "broken":
			fmt.Println(`{"jsonrpc":"2.0","id"`)
		case "other":
			fmt.Println(reply(99, "result", `{"blocked":false,"status":0,"stdout":"","stderr":""}`))
		case "empty":
			fmt.Println(reply(request.ID, "result", `{}`))
		case "noise":
			fmt.Println(reply(request.ID, "result", `{"status":0,"stdout":"no JSON","stderr":""}`))
		case "crash":
			os.Exit(1)
		case "killed":
			p, _ := os.FindProcess(os.Getpid())
			_ = p.Kill()
		case "cut":
			fmt.Print(strings.TrimSuffix(good, "}"))
			os.Exit(0)
		case "late": // no answer
		}
	}
}
