// Package explain puts into words why a hook runs on an event or does not, what it answered, and
// the smallest change with which it would run. It is used by why, serve and
// watch. It runs nothing and prints nothing.
package explain
