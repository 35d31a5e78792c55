package main

import "github.com/rogpeppe/go-internal/testscript"

// The scripts that use these are skipped on Windows.
func signaled(ts *testscript.TestScript, neg bool, args []string) { ts.Fatalf("no signals on Windows") }
func gone(ts *testscript.TestScript, neg bool, args []string)     { ts.Fatalf("no signals on Windows") }
func alive(ts *testscript.TestScript, neg bool, args []string)    { ts.Fatalf("no signals on Windows") }
