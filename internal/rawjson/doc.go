// Package rawjson reads and writes JSON text without building a tree. Keys are
// exact and every value of a repeated key is reported (D18), which
// encoding/json does not support, and a large event is not copied.
package rawjson
