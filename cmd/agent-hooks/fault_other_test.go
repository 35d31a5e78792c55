//go:build !linux

package main

// The faults need /proc and a parent for all processes that hooks leave.
func mainFaultHook() {}
func mainFaultCage() {}
func mainAsUser()    {}
