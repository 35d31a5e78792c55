// Package protocol defines the data passed between an agent, agent-hooks and a
// hook: the event that comes in, the event that a hook reads, the meaning of a
// hook's exit status and output, and how the answers of several hooks are
// merged.
//
// It is pure: it does no file I/O, starts no process and reads no clock. Events
// are kept as the bytes that the caller sent. Their content is untrusted:
// undecodable data is reported as undecided and never treated as harmless.
package protocol
