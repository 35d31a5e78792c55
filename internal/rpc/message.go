package rpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"

	"github.com/agent-hooks/agent-hooks/internal/rawjson"
)

// parse parses a message. If it returns an error, the request contains its id
// if that could be read.
func parse(text []byte) (r request, err *Error) {
	members, repeated := map[string][]byte{}, ""
	bad := rawjson.Members(text, func(key string, value []byte) bool {
		switch key {
		case "jsonrpc", "id", "method", "params":
			if members[key] != nil {
				repeated = key
			}
			members[key] = value
		}
		return true
	})
	if bad != nil {
		if rawjson.Valid(text) {
			return request{}, Errorf(InvalidRequest, "the message is not an object")
		}
		return request{}, Errorf(ParseError, "not JSON")
	}
	r.id, r.params = bytes.Clone(members["id"]), members["params"]
	if r.id != nil && !isID(r.id) || repeated == "id" {
		return request{}, Errorf(InvalidRequest, "the id is not a string, a number or null, or repeated")
	}
	if repeated != "" { // what read it before may have taken the other value
		return r, Errorf(InvalidRequest, "%q is repeated", repeated)
	}
	var name string
	if string(members["jsonrpc"]) != `"2.0"` || json.Unmarshal(members["method"], &name) != nil || name == "" {
		return r, Errorf(InvalidRequest, `not a JSON-RPC 2.0 request: "jsonrpc" must be "2.0" and "method" a name`)
	}
	r.method = name
	if r.params != nil && r.params[0] != '{' && r.params[0] != '[' {
		return r, Errorf(InvalidRequest, "params is not an object or array")
	}
	return r, nil
}

func isID(id []byte) bool {
	return json.Valid(id) && utf8.Valid(id) && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9' || string(id) == "null")
}

// response is the answer to a request.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

func failed(id []byte, err *Error) *response {
	if id == nil {
		id = []byte("null")
	}
	return &response{Version: "2.0", ID: id, Error: err}
}

// answer returns the answer to a request, nil for a notification.
func (r request) answer(result any, err error) *response {
	if r.id == nil {
		return nil
	}
	var coded *Error
	switch {
	case errors.As(err, &coded):
		return failed(r.id, coded)
	case err != nil:
		return failed(r.id, Errorf(InternalError, "%v", err))
	}
	text, err := encode(result)
	if err != nil {
		return failed(r.id, Errorf(InternalError, "encode the result: %v", err))
	}
	return &response{Version: "2.0", ID: r.id, Result: text}
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

func (s *Server) send(r *response) {
	if r != nil {
		s.write(r)
	}
}

// write writes a message as one line. If writing fails, the server ends.
func (s *Server) write(message any) {
	line, err := encode(message)
	if err != nil {
		return
	}
	s.out.Lock()
	defer s.out.Unlock()
	if s.writer == nil {
		return
	}
	if _, err := s.writer.Write(append(line, '\n')); err != nil {
		s.stop(err)
	}
}

// errLong is the error for a line that is too long and is skipped.
var errLong = errors.New("the line is too long")

// lineReader reads lines of up to limit bytes.
type lineReader struct {
	in    *bufio.Reader
	limit int
}

// next returns the next line. It returns the last one together with io.EOF.
func (l *lineReader) next() ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := l.in.ReadSlice('\n')
		long = long || len(line)+len(part) > l.limit+1
		if long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long && (err == nil || errors.Is(err, io.EOF)) {
			return nil, errors.Join(errLong, err)
		}
		return line, err
	}
}
