// An adapter: the requests of uriproof, and the answers of your library. It reads a JSON object from each line of stdin, and writes one
// for each to stdout. Fill in parse; then the other operations that the library has.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

type object = map[string]any

var hello = object{
	"name":          "my-uri", // the library
	"version":       "0",      // of the library
	"entry_point":   "Parse",  // the function or type
	"language":      "Go",
	"specification": "RFC 3986",                // what it claims: RFC 3986, RFC 3987, WHATWG URL, HTTP
	"rules":         []string{"URI-reference"}, // what it parses: URI-reference, URI, absolute-URI, relative-ref
	"operations":    []string{"parse", "resolve"},
}

type request struct {
	ID                         uint64
	Op, Input, Base, Reference string
	Strict                     bool
}

// An operation that the library does not have. Other errors are those by which it refuses an input; a crash is a panic.
type unsupported struct{ error }

// The components of input. nil is a component that is not there, "" one that is empty; leave out what the library does not report.
func parse(input string) (object, error) {
	// url, err := myuri.Parse(input)
	// return object{"scheme": url.Scheme, "userinfo": url.Userinfo, "host": url.Host, "port": url.Port,
	//	"path": url.Path, "query": url.Query, "fragment": url.Fragment}, err
	return nil, unsupported{errors.New("fill in `parse` of the adapter")}
}

// The target of reference against base (RFC 3986 section 5.2). A resolution that is not strict takes `http:g` for `g` if the base is
// `http` too.
func resolve(base, reference string, strict bool) (string, error) {
	if !strict {
		return "", unsupported{errors.New("strict only")}
	}
	return "", unsupported{errors.New("fill in `resolve` of the adapter, or take it out of `operations`")}
}

func answer(request request) object {
	var key string
	var value any
	var err error
	switch request.Op {
	case "hello":
		return hello
	case "parse":
		key = "components"
		value, err = parse(request.Input)
	default:
		key = "uri"
		value, err = resolve(request.Base, request.Reference, request.Strict)
	}
	if missing, is := err.(unsupported); is {
		return object{"outcome": "unsupported", "reason": missing.Error()}
	}
	if err != nil {
		return object{"outcome": "rejected", "reason": err.Error()}
	}
	return object{"outcome": "accepted", key: value}
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var one request
		if err := json.Unmarshal(line, &one); err != nil {
			panic(err)
		}
		response := object{"id": one.ID}
		for key, value := range answer(one) {
			response[key] = value
		}
		text, err := json.Marshal(response)
		if err != nil {
			panic(err)
		}
		fmt.Println(string(text))
	}
}
