// Package watch reports changes of hooks on disk: it surveys the folders of
// hooks, receives the file system's notifications, and reads the hooks again
// after each change. Its Schedule decides when a changed hook runs. The package
// prints nothing.
package watch
