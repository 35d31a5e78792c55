// Package watch reports changes of hooks on disk: it surveys the folders of
// hooks, receives the file system's notifications, and reads the hooks again
// after each change. It runs no hook and prints nothing.
package watch
