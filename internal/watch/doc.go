// Package watch reports changes of hooks on disk: it surveys the folders of
// hooks, listens to the file system's notifications, and reads the hooks again
// after each change. It runs nothing and prints nothing.
package watch
