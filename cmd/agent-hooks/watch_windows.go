package main

import "golang.org/x/sys/windows"

// errUnread is the error of a write to a pipe whose reader has closed it.
const errUnread = windows.ERROR_NO_DATA

// whenUnread does nothing: on Windows only a write detects a closed reader.
func whenUnread(any, func()) {}
