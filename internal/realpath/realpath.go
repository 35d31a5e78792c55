// Package realpath finds the one path of a file that has several, because of links and, on Windows,
// junctions, substituted drives, short names and names in another case.
package realpath
