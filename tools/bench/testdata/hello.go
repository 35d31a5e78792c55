// Hello is a Go program that does nothing: no runner written in Go starts faster.
package main

import "os"

func main() { os.Stdout.WriteString("hello\n") }
