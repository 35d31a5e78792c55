// Package term lays text out for people: lines wrapped to a terminal's width,
// tables, a caret below a place in a line, colours, and characters that a
// terminal does not show spelled out. It prints nothing and reads no
// environment: callers pass the stream and a function that looks variables up.
package term
