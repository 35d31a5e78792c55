//go:build !linux

package main

// mainTerminal is not used: the scripts that need a terminal run on Linux only.
func mainTerminal() { panic("no terminal") }
