#!/usr/bin/env python3
"""An adapter: the requests of uriproof, and the answers of your library. It reads a JSON object from each line of stdin, and writes one
for each to stdout. Fill in `parse`; then the other operations that the library has."""

import json
import sys

HELLO = {
    "name": "my-uri",  # the library
    "version": "0",  # of the library
    "entry_point": "parse",  # the function or class
    "language": "Python",
    "specification": "RFC 3986",  # what it claims: RFC 3986, RFC 3987, WHATWG URL, HTTP
    "rules": ["URI-reference"],  # what it parses: URI-reference, URI, absolute-URI, relative-ref
    "operations": ["parse", "resolve"],
}


def parse(text):
    """The components of `text`. None is a component that is not there, "" one that is empty; leave out what the library does not
    report."""
    # url = my_uri.parse(text)
    # return {"scheme": url.scheme, "userinfo": url.userinfo, "host": url.host, "port": url.port,
    #         "path": url.path, "query": url.query, "fragment": url.fragment}
    raise NotImplementedError("fill in `parse` of the adapter")


def resolve(base, reference, strict):
    """The target of `reference` against `base` (RFC 3986 section 5.2), as a string. A resolution that is not strict takes `http:g` for
    `g` if the base is `http` too."""
    if not strict:
        raise NotImplementedError("strict only")
    raise NotImplementedError("fill in `resolve` of the adapter, or take it out of `operations`")


def answer(request):
    try:
        if request["op"] == "hello":
            return HELLO
        if request["op"] == "parse":
            return {"outcome": "accepted", "components": parse(request["input"])}
        return {"outcome": "accepted", "uri": resolve(request["base"], request["reference"], request["strict"])}
    except NotImplementedError as error:
        return {"outcome": "unsupported", "reason": str(error)}
    except ValueError as error:  # the errors by which the library refuses an input; any other is a crash
        return {"outcome": "rejected", "reason": str(error)}


for line in sys.stdin.buffer:
    request = json.loads(line)
    print(json.dumps({"id": request["id"], **answer(request)}), flush=True)
