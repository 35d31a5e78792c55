// Package watch reports changes of hooks on disk: it surveys the folders of
// hooks, listens to the file system's notifications, and reads the hooks again
// after each change. A Schedule decides when a changed hook runs. It prints
// nothing.
package watch
