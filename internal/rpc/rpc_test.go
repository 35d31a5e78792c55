package rpc_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agent-hooks/agent-hooks/internal/rpc"
)

// methods are an echo, and a request that ends only if it is canceled.
var methods = map[string]rpc.Method{
	"echo":    {Call: func(_ context.Context, params []byte) (any, error) { return json.RawMessage(params), nil }, InOrder: true},
	"lenient": {Call: func(context.Context, []byte) (any, error) { return "ok", nil }, Lenient: true, InOrder: true},
	"wait":    {Call: func(ctx context.Context, _ []byte) (any, error) { <-ctx.Done(); return nil, ctx.Err() }},
	"fail":    {Call: func(context.Context, []byte) (any, error) { return nil, errors.New("no") }, InOrder: true},
	"panic":   {Call: func(context.Context, []byte) (any, error) { panic("no") }, InOrder: true},
	"silent":  {Call: func(context.Context, []byte) (any, error) { return nil, nil }, Silent: true},
}

// TestLines checks the exact answer to each line; "" means no answer. After each, the
// server answers as before.
func TestLines(t *testing.T) {
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"a":1}}`: `{"jsonrpc":"2.0","id":1,"result":{"a":1}}`,
		// ids of every type
		`{"jsonrpc":"2.0","id":"x","method":"echo","params":[]}`:    `{"jsonrpc":"2.0","id":"x","result":[]}`,
		`{"jsonrpc":"2.0","id":-1.5e3,"method":"echo","params":[]}`: `{"jsonrpc":"2.0","id":-1.5e3,"result":[]}`,
		`{"jsonrpc":"2.0","id":null,"method":"echo","params":[]}`:   `{"jsonrpc":"2.0","id":null,"result":[]}`,
		`{"jsonrpc":"2.0","id":"","method":"echo","params":[]}`:     `{"jsonrpc":"2.0","id":"","result":[]}`,
		`{"jsonrpc":"2.0","id":true,"method":"echo"}`:               `-32600 null`,
		`{"jsonrpc":"2.0","id":{},"method":"echo"}`:                 `-32600 null`,
		`{"jsonrpc":"2.0","id":[1],"method":"echo"}`:                `-32600 null`,
		"{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"echo\"}": `-32600 null`,
		// not JSON
		`nonsense`:                               `-32700 null`,
		`{`:                                      `-32700 null`,
		`{"jsonrpc":"2.0","id":1,"method":"echo`: `-32700 null`,
		`{"jsonrpc":"2.0","id":1,"method":"echo"}}`:  `-32700 null`,
		`{"jsonrpc":"2.0","id":1,"method":"echo"} x`: `-32700 null`,
		"\xff\xfe": `-32700 null`,
		`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"x":tru}}`:              `-32700 null`,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"echo\",\"params\":[\"\xff\"]}": `-32700 null`,
		// not a request
		`1`: `-32600 null`, `"x"`: `-32600 null`, `null`: `-32600 null`, `{}`: `-32600 null`,
		`{"jsonrpc":"1.0","id":1,"method":"echo"}`:              `-32600 1`,
		`{"id":1,"method":"echo"}`:                              `-32600 1`,
		`{"jsonrpc":"2.0","id":1}`:                              `-32600 1`,
		`{"jsonrpc":"2.0","id":1,"method":5}`:                   `-32600 1`,
		`{"jsonrpc":"2.0","id":1,"method":""}`:                  `-32600 1`,
		`{"jsonrpc":"2.0","id":1,"method":"echo","params":5}`:   `-32600 1`,
		`{"jsonrpc":"2.0","id":1,"method":"echo","params":"x"}`: `-32600 1`,
		// repeated keys
		`{"jsonrpc":"2.0","id":1,"method":"echo","params":[1],"params":[2]}`:        `-32600 1`,
		`{"jsonrpc":"2.0","id":1,"method":"none","method":"echo","params":[1]}`:     `-32600 1`,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"echo","params":[1]}`:              `-32600 null`,
		`{"jsonrpc":"2.0","id":1,"method":"echo","params":[1],"other":1,"other":2}`: `{"jsonrpc":"2.0","id":1,"result":[1]}`,
		// methods
		`{"jsonrpc":"2.0","id":1,"method":"none"}`:                                    `-32601 1`,
		`{"jsonrpc":"2.0","id":1,"method":"Echo"}`:                                    `-32601 1`,
		`{"jsonrpc":"2.0","id":1,"method":"fail"}`:                                    `-32603 1`,
		`{"jsonrpc":"2.0","id":1,"method":"panic"}`:                                   `-32603 1`,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"lenient\",\"params\":[\"\xff\"]}": `{"jsonrpc":"2.0","id":1,"result":"ok"}`,
		// notifications
		`{"jsonrpc":"2.0","method":"echo","params":[]}`: ``, `{"jsonrpc":"2.0","method":"none"}`: ``, `{"jsonrpc":"2.0","method":"fail"}`: ``,
		`{"jsonrpc":"2.0","id":1,"method":"silent"}`: ``, ` `: ``, "\t\r": ``,
		// cancellation of nothing
		`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":77}}`:          ``,
		`{"jsonrpc":"2.0","id":7,"method":"$/cancel","params":{"id":77}}`:   `{"jsonrpc":"2.0","id":7,"result":null}`,
		`{"jsonrpc":"2.0","id":7,"method":"$/cancel","params":{"id":7}}`:    `{"jsonrpc":"2.0","id":7,"result":null}`,
		`{"jsonrpc":"2.0","id":7,"method":"$/cancel","params":{}}`:          `-32602 7`,
		`{"jsonrpc":"2.0","id":7,"method":"$/cancel","params":{"id":true}}`: `-32602 7`,
		`{"jsonrpc":"2.0","id":7,"method":"$/cancel"}`:                      `-32602 7`,
		// batches
		`[]`: `-32600 null`, `[1`: `-32700 null`,
		`[1]`: `[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the message is not an object"}}]`,
		`[{"jsonrpc":"2.0","id":1,"method":"echo","params":[]},{"jsonrpc":"2.0","method":"echo"}]`: `[{"jsonrpc":"2.0","id":1,"result":[]}]`,
		`[{"jsonrpc":"2.0","method":"echo"}]`:                                                      ``,
		// long
		`{"jsonrpc":"2.0","id":1,"method":"echo","params":["` + strings.Repeat("x", 1000) + `"]}`: `-32600 null`,
		strings.Repeat("[", 900): `-32700 null`,
	} {
		const last = `{"jsonrpc":"2.0","id":"last","method":"echo","params":[]}`
		s := rpc.Server{Methods: methods, Grace: time.Minute, MaxLine: 1000}
		var out bytes.Buffer
		if err := s.Serve(t.Context(), strings.NewReader(line+"\n"+last), &out); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		got := strings.Replace(out.String(), `{"jsonrpc":"2.0","id":"last","result":[]}`+"\n", "", 1)
		if !strings.Contains(out.String(), `"id":"last"`) {
			t.Errorf("%.200q: no answer after it: %s", line, out.String())
		}
		if got = short(strings.TrimSuffix(got, "\n")); got != want {
			t.Errorf("%.200q: %s, want %s", line, got, want)
		}
	}
}

// short is an error's code and id, or the answer.
func short(answer string) string {
	var r struct {
		ID    json.RawMessage
		Error *rpc.Error
	}
	if json.Unmarshal([]byte(answer), &r) == nil && r.Error != nil {
		return fmt.Sprintf("%d %s", r.Error.Code, r.ID)
	}
	return answer
}

// TestCancel cancels by the id's exact text, all requests that have it.
func TestCancel(t *testing.T) {
	in, feed := io.Pipe()
	read, out := io.Pipe()
	s := rpc.Server{Methods: methods, Grace: time.Minute}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(t.Context(), in, out) }()
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"wait"}`, `{"jsonrpc":"2.0","id":1,"method":"wait"}`, `{"jsonrpc":"2.0","id":"1","method":"wait"}`,
		`{"jsonrpc":"2.0","method":"$/cancel","params":{"id":1}}`,
	} {
		fmt.Fprintln(feed, line)
	}
	answers := json.NewDecoder(read)
	next := func(want string) {
		t.Helper()
		var answer json.RawMessage
		if err := answers.Decode(&answer); err != nil || short(string(answer)) != want {
			t.Errorf("%s %v, want %s", answer, err, want)
		}
	}
	next(`-32800 1`)
	next(`-32800 1`)
	fmt.Fprintln(feed, `{"jsonrpc":"2.0","method":"$/cancel","params":{"id":"1"}}`)
	next(`-32800 "1"`)
	feed.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// TestUnread checks that a client that does not read does not keep the server from ending.
func TestUnread(t *testing.T) {
	_, out := io.Pipe()
	s := rpc.Server{Methods: methods, Grace: 50 * time.Millisecond}
	ended := make(chan error, 1)
	go func() {
		ended <- s.Serve(t.Context(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"wait"}`), out)
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the server does not end")
	}
}

// TestCaller finds answers in any order, and ignores everything else.
func TestCaller(t *testing.T) {
	var c rpc.Caller
	line, first, _ := c.Request("a", []byte("{\n}"))
	if string(line) != `{"jsonrpc":"2.0","id":1,"method":"a","params":{ }}`+"\n" {
		t.Errorf("%s", line)
	}
	_, second, forget := c.Request("b", []byte("{}"))
	_, third, _ := c.Request("c", []byte("{}"))
	forget()
	for _, line := range []string{
		"", "noise", "{}", `{"id":9,"result":1}`, `{"id":2,"result":"late"}`, `{"id":3,"method":"x","result":1}`, `{"id":"3","result":1}`,
		`{"id":3,"error":{"code":1},"result":2}`, `{"id":3,"result":"second"}`, `{"id":1,"error":null,"result":5}`,
	} {
		c.Take([]byte(line), false)
	}
	if r := <-third; string(r.Error) != `{"code":1}` || string(slices.Concat(r.Results...)) != "2" || r.Broken != "" {
		t.Errorf("%+v", r)
	}
	if r := <-first; string(slices.Concat(r.Results...)) != "5" || r.Error != nil || r.Broken != "" {
		t.Errorf("%+v", r)
	}
	if len(second) != 0 {
		t.Errorf("a forgotten request is answered")
	}
	for _, broken := range []struct {
		line string
		cut  bool
		want string
	}{{`{"id":%d,"result":{"a":`, false, ""}, {`{"id":%d,"result":{"a":1}`, false, `{"a":1}`}, {`{"id":%d}`, false, ""}, {`xxx`, true, ""},
		{`{"id":%d,"result":1,"result":2}`, false, "12"}, {`{"result":{"a,"id":%d}`, false, ""}, {`{"id":0,"id":%d,"result":1}`, false, "1"}} {
		_, answer, forget := c.Request("d", []byte("{}"))
		for id := range 20 {
			line := broken.line
			if strings.Contains(line, "%d") {
				line = fmt.Sprintf(line, id)
			}
			c.Take([]byte(line), broken.cut)
		}
		if r := <-answer; r.Broken == "" || string(slices.Concat(r.Results...)) != broken.want {
			t.Errorf("%s: %+v", broken.line, r)
		}
		forget()
	}
}

// TestNotifyBeforeServe checks that a notification may be sent at any time.
func TestNotifyBeforeServe(t *testing.T) {
	var s rpc.Server
	s.Notify("early", nil)
	in, client := io.Pipe()
	var sent sync.WaitGroup
	sent.Go(func() { s.Notify("meanwhile", nil) })
	done := make(chan error)
	go func() { done <- s.Serve(t.Context(), in, io.Discard) }()
	sent.Wait()
	client.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
