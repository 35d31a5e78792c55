//go:build !linux

package main

// The faults need /proc and a parent for all that hooks leave behind.
func mainFaultHook() {}
func mainFaultCage() {}
