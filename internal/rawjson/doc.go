// Package rawjson reads and writes JSON text without building a tree, so that a large event is
// not copied. Unlike encoding/json, it compares keys exactly and reports every value of a
// repeated key (D18).
package rawjson
