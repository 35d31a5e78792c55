//go:build race

package examples_test

func init() { raceDetector = true }
