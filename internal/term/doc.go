// Package term formats text for terminals: lines wrapped to the terminal's width, tables, a
// caret below a position in a line, colors, and escapes for invisible characters. It prints
// nothing and does not read the environment: callers pass the stream and a function that looks
// up variables.
package term
