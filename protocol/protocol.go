// Package protocol is what passes between an agent, agent-hooks and a hook:
// the event that comes in, the event that a hook reads, what a hook's exit
// status and output say, and how several hooks' answers become one.
//
// It is pure: it reads and writes no files, starts nothing and knows no
// clock. Events are kept as the bytes that the caller sent; nothing in them
// is trusted, and what cannot be decoded is reported as undecided, never
// taken as harmless.
package protocol
