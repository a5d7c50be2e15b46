// uriproof's line protocol for net/url of the standard library: `go run adapter.go` (Go 1.19 or later).
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"runtime"
	"strings"
)

type object = map[string]any

type request struct {
	ID                              uint64
	Op, Input, Base, Reference, URI string
	Strict                          bool
}

// Userinfo and host are told decoded; what is undefined there cannot always be told from what is empty.
var hello = object{
	"name":          "net/url",
	"version":       strings.TrimPrefix(runtime.Version(), "go"),
	"entry_point":   "Parse",
	"language":      "Go",
	"specification": "RFC 3986",
	"rules":         []string{"URI-reference"},
	"operations":    []string{"parse", "resolve", "round-trip"},
	"tells": object{
		"scheme":   "ignoring-case",
		"userinfo": "octets",
		"host":     "octets-without-brackets",
		"port":     "empty-is-undefined",
		"path":     "exact",
		"query":    "exact",
		"fragment": "empty-is-undefined",
	},
}

func answer(r request) object {
	switch r.Op {
	case "hello":
		return hello
	case "parse":
		u, err := url.Parse(r.Input)
		if err != nil {
			return rejected(err)
		}
		return object{"outcome": "accepted", "components": components(u)}
	case "resolve":
		if !r.Strict {
			return unsupported("strict only")
		}
		base, err := url.Parse(r.Base)
		if err != nil {
			return rejected(err)
		}
		target, err := base.Parse(r.Reference)
		if err != nil {
			return rejected(err)
		}
		return object{"outcome": "accepted", "uri": target.String()}
	case "round-trip":
		u, err := url.Parse(r.URI)
		if err != nil {
			return rejected(err)
		}
		return object{"outcome": "accepted", "uri": u.String()}
	}
	return unsupported("no such operation")
}

func rejected(err error) object {
	return object{"outcome": "rejected", "reason": err.Error()}
}

func unsupported(reason string) object {
	return object{"outcome": "unsupported", "reason": reason}
}

func components(u *url.URL) object {
	told := object{
		"scheme":   orNull(u.Scheme),
		"userinfo": nil,
		"port":     orNull(u.Port()),
		"path":     u.EscapedPath(),
		"query":    orNull(u.RawQuery),
		"fragment": orNull(u.EscapedFragment()),
	}
	if u.Opaque != "" {
		told["path"] = u.Opaque
	}
	if u.ForceQuery {
		told["query"] = ""
	}
	if u.User != nil {
		userinfo := u.User.Username()
		if password, ok := u.User.Password(); ok {
			userinfo += ":" + password
		}
		told["userinfo"] = octets(userinfo)
	}
	// No host and an empty one look alike, unless the URL says that it had none: then the key is missing.
	if u.Host != "" {
		told["host"] = octets(u.Hostname())
	} else if u.OmitHost || u.Opaque != "" {
		told["host"] = nil
	}
	return told
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// octets is what was decoded, with a triplet for whatever is not unreserved.
func octets(decoded string) string {
	var text strings.Builder
	for _, octet := range []byte(decoded) {
		switch {
		case 'a' <= octet && octet <= 'z', 'A' <= octet && octet <= 'Z', '0' <= octet && octet <= '9',
			strings.IndexByte("-._~", octet) >= 0:
			text.WriteByte(octet)
		default:
			fmt.Fprintf(&text, "%%%02X", octet)
		}
	}
	return text.String()
}

func main() {
	input := bufio.NewReader(os.Stdin) // not a Scanner, which has a longest line
	output := json.NewEncoder(os.Stdout)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			panic(err)
		}
		answered := object{"id": r.ID}
		for key, value := range answer(r) {
			answered[key] = value
		}
		if err := output.Encode(answered); err != nil {
			panic(err)
		}
	}
}
