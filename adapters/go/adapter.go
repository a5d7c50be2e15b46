// uriproof's line protocol for net/url of the standard library: `go run adapter.go` (Go 1.19 or later).
// The documentation of its types and functions, by name: https://pkg.go.dev/net/url#URL, #Parse, #URL.Parse, #URL.String
//
// Not validated: "Parse" takes characters that are not allowed in a path, query or fragment and encodes most when it prints.
// A URL that is made of fields is not validated at all.
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
	ID                                         uint64
	Op, Input, Base, Reference, URI, Component string
	Strict                                     bool
	Value                                      *string
	Components                                 map[string]*string
}

// Of userinfo and host there is only what is decoded. What is undefined there is not always apart from what is empty.
var hello = object{
	"name":          "net/url",
	"version":       strings.TrimPrefix(runtime.Version(), "go"),
	"entry_point":   "Parse",
	"language":      "Go",
	"specification": "RFC 3986",
	"rules":         []string{"URI-reference"},
	"operations":    []string{"parse", "resolve", "compose", "modify", "round-trip"},
	"tells": object{
		"scheme":   "ignoring-case",           // URL.Scheme, in lower case
		"userinfo": "octets",                  // URL.User, decoded
		"host":     "octets-without-brackets", // URL.Hostname, decoded, without brackets
		"port":     "empty-is-undefined",      // URL.Port
		"path":     "exact",                   // URL.EscapedPath
		"query":    "exact",                   // URL.RawQuery, URL.ForceQuery
		"fragment": "empty-is-undefined",      // URL.EscapedFragment
	},
}

func answer(r request) object {
	switch r.Op {
	case "hello":
		return hello
	case "parse":
		return with(r.Input, func(u *url.URL) object { return object{"outcome": "accepted", "components": components(u)} })
	case "resolve":
		if !r.Strict {
			return unsupported("strict only")
		}
		return with(r.Base, func(base *url.URL) object {
			target, err := base.Parse(r.Reference) // URL.Parse
			return printed(target, err)
		})
	case "compose":
		u := &url.URL{}
		for _, component := range []string{"scheme", "host", "port", "userinfo", "path", "query", "fragment"} {
			if component == "port" && r.Components[component] == nil {
				continue // the host may look as if it had one
			}
			if reason := set(u, component, r.Components[component]); reason != "" {
				return unsupported(reason)
			}
		}
		return printed(u, nil)
	case "modify":
		return with(r.URI, func(u *url.URL) object {
			if reason := set(u, r.Component, r.Value); reason != "" {
				return unsupported(reason)
			}
			return printed(u, nil)
		})
	case "round-trip":
		return with(r.URI, func(u *url.URL) object { return printed(u, nil) })
	}
	return unsupported("no such operation")
}

func with(text string, then func(*url.URL) object) object {
	u, err := url.Parse(text)
	if err != nil {
		return object{"outcome": "rejected", "reason": err.Error()}
	}
	return then(u)
}

func printed(u *url.URL, err error) object {
	if err != nil {
		return object{"outcome": "rejected", "reason": err.Error()}
	}
	return object{"outcome": "accepted", "uri": u.String()} // URL.String
}

func unsupported(reason string) object {
	return object{"outcome": "unsupported", "reason": reason}
}

// set assigns the field of a component, or says why there is none. Userinfo, host, path and fragment are decoded in their fields;
// RawPath and RawFragment are hints of how to encode them (URL.EscapedPath, URL.EscapedFragment).
func set(u *url.URL, component string, value *string) string {
	text := ""
	if value != nil {
		text = *value
	}
	if value != nil && text == "" && strings.Contains("userinfo host port fragment", component) {
		return "an empty field is none"
	}
	decoded, err := url.PathUnescape(text)
	if err != nil {
		decoded = text
	}
	switch component {
	case "scheme":
		if text != "" && u.Path != "" && u.Path[0] != '/' {
			return "a path without root behind a scheme is Opaque"
		}
		u.Scheme = text
	case "userinfo":
		name, password, has := strings.Cut(decoded, ":")
		if u.User = nil; has {
			u.User = url.UserPassword(name, password)
		} else if value != nil {
			u.User = url.User(name)
		}
	case "host":
		if port := u.Port(); port != "" {
			decoded += ":" + port
		}
		u.Host, u.OmitHost = decoded, value == nil
	case "port":
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
		if value != nil {
			u.Host += ":" + text
		}
	case "path":
		if u.Opaque != "" || (u.Scheme != "" && text != "" && text[0] != '/') {
			return "a path without root behind a scheme is Opaque"
		}
		u.Path, u.RawPath = decoded, text
	case "query":
		u.RawQuery, u.ForceQuery = text, value != nil && text == ""
	case "fragment":
		u.Fragment, u.RawFragment = decoded, text
	}
	return ""
}

func components(u *url.URL) object {
	reported := object{
		"scheme":   orNull(u.Scheme),
		"userinfo": nil,
		"port":     orNull(u.Port()),
		"path":     u.EscapedPath(),
		"query":    orNull(u.RawQuery),
		"fragment": orNull(u.EscapedFragment()),
	}
	if u.Opaque != "" {
		reported["path"] = u.Opaque
	}
	if u.ForceQuery {
		reported["query"] = ""
	}
	if u.User != nil {
		userinfo := u.User.Username()
		if password, ok := u.User.Password(); ok {
			userinfo += ":" + password
		}
		reported["userinfo"] = octets(userinfo)
	}
	// No host and an empty one look alike, unless the URL says that it had none: then the key is missing.
	if u.Host != "" {
		reported["host"] = octets(u.Hostname())
	} else if u.OmitHost || u.Opaque != "" {
		reported["host"] = nil
	}
	return reported
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
