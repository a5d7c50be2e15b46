#!/usr/bin/env python3
"""uriproof's line protocol for Python libraries: `python3 adapter.py [urllib|rfc3986|hyperlink|yarl]`."""

import json
import platform
import sys
import urllib.parse


class Urllib:
    """urllib.parse of the standard library."""

    name, entry_point, specification = "urllib.parse", "urlsplit", "RFC 3986"
    rules = ["URI-reference"]
    # Which components it can tell, and how exactly: it lowers the scheme and the host, and takes empty for undefined.
    tells = {
        "scheme": "ignoring-case",
        "host": "bare-host",
        "port": "number",
        "path": "exact",
        "query": "empty-is-undefined",
        "fragment": "empty-is-undefined",
    }
    version = platform.python_version()

    def parse(self, rule, input):
        parts = urllib.parse.urlsplit(input)
        return {
            "components": {
                "scheme": parts.scheme or None,
                "host": parts.hostname,
                "port": None if parts.port is None else str(parts.port),
                "path": parts.path,
                "query": parts.query or None,
                "fragment": parts.fragment or None,
            }
        }

    def resolve(self, base, reference, strict):
        if not strict:
            raise NotImplementedError("strict only")
        return {"uri": urllib.parse.urljoin(base, reference)}

    def round_trip(self, uri):
        return {"uri": urllib.parse.urlunsplit(urllib.parse.urlsplit(uri))}


class Rfc3986:
    """The package rfc3986: https://pypi.org/project/rfc3986/"""

    name, entry_point, specification = "rfc3986", "uri_reference", "RFC 3986"
    rules = ["URI-reference"]

    def __init__(self):
        import rfc3986

        self.library, self.version = rfc3986, rfc3986.__version__
        self.refusals = (rfc3986.exceptions.RFC3986Exception,)

    def valid(self, text):
        reference = self.library.uri_reference(text)
        self.library.validators.Validator().check_validity_of(
            "scheme", "userinfo", "host", "port", "path", "query", "fragment"
        ).validate(reference)
        return reference

    def parse(self, rule, input):
        reference = self.valid(input)
        authority = reference.authority_info() if reference.authority else {}
        return {
            "components": {
                "scheme": reference.scheme,
                "userinfo": authority.get("userinfo"),
                "host": authority.get("host", reference.authority),
                "port": authority.get("port"),
                "path": reference.path or "",
                "query": reference.query,
                "fragment": reference.fragment,
            }
        }

    def resolve(self, base, reference, strict):
        target = self.valid(reference).resolve_with(self.valid(base), strict=strict)
        return {"uri": target.unsplit()}

    def normalize(self, uri, scope):
        if scope != "syntax":
            raise NotImplementedError("syntax-based only")
        return {"uri": self.valid(uri).normalize().unsplit()}

    def round_trip(self, uri):
        return {"uri": self.valid(uri).unsplit()}


class Hyperlink:
    """The package hyperlink: https://pypi.org/project/hyperlink/"""

    name, entry_point, specification = "hyperlink", "URL.from_text", "RFC 3987"
    rules = ["URI-reference"]
    tells = {"scheme": "ignoring-case", "host": "bare-host", "fragment": "empty-is-undefined"}

    def __init__(self):
        import hyperlink
        from importlib.metadata import version

        self.library, self.version = hyperlink, version("hyperlink")

    def parse(self, rule, input):
        url = self.library.URL.from_text(input)
        # Paths, queries and ports are kept as parts and numbers, of which the text cannot be had.
        return {
            "components": {
                "scheme": url.scheme or None,
                "host": url.host or None,
                "fragment": url.fragment or None,
            }
        }

    def resolve(self, base, reference, strict):
        if not strict:
            raise NotImplementedError("strict only")
        return {"uri": self.library.URL.from_text(base).click(reference).to_text(with_password=True)}

    def normalize(self, uri, scope):
        if scope != "syntax":
            raise NotImplementedError("syntax-based only")
        return {"uri": self.library.URL.from_text(uri).normalize().to_text(with_password=True)}

    def round_trip(self, uri):
        return {"uri": self.library.URL.from_text(uri).to_text(with_password=True)}


class Yarl:
    """The package yarl: https://pypi.org/project/yarl/"""

    name, entry_point, specification = "yarl", "URL", "RFC 3987"
    rules = ["URI-reference"]
    tells = {
        "scheme": "ignoring-case",
        "host": "bare-host",
        "port": "number",
        "path": "exact",
        "query": "empty-is-undefined",
        "fragment": "empty-is-undefined",
    }

    def __init__(self):
        import yarl

        self.library, self.version = yarl, yarl.__version__

    def url(self, text):
        return self.library.URL(text, encoded=True)

    def parse(self, rule, input):
        url = self.url(input)
        return {
            "components": {
                "scheme": url.scheme or None,
                "host": url.raw_host,
                "port": None if url.explicit_port is None else str(url.explicit_port),
                "path": url.raw_path,
                "query": url.raw_query_string or None,
                "fragment": url.raw_fragment or None,
            }
        }

    def resolve(self, base, reference, strict):
        if not strict:
            raise NotImplementedError("strict only")
        return {"uri": str(self.url(base).join(self.url(reference)))}

    def round_trip(self, uri):
        return {"uri": str(self.url(uri))}


LIBRARIES = {"urllib": Urllib, "rfc3986": Rfc3986, "hyperlink": Hyperlink, "yarl": Yarl}
OPERATIONS = ("parse", "resolve", "normalize", "compose", "equivalent", "relativize", "modify", "round-trip")


def answer(library, request):
    operation, arguments = request.pop("op"), request
    arguments.pop("uriproof", None)
    if operation == "hello":
        has = [name for name in OPERATIONS if hasattr(library, name.replace("-", "_"))]
        return {
            "name": library.name,
            "version": library.version,
            "entry_point": library.entry_point,
            "language": "Python",
            "specification": library.specification,
            "rules": library.rules,
            "tells": getattr(library, "tells", {}),
            "operations": has,
        }
    try:
        return {"outcome": "accepted", **getattr(library, operation.replace("-", "_"))(**arguments)}
    except NotImplementedError as error:
        return {"outcome": "unsupported", "reason": str(error)}
    except (ValueError, *getattr(library, "refusals", ())) as error:  # anything else is a crash, and ends the process
        return {"outcome": "rejected", "reason": str(error)}


def main():
    library = LIBRARIES[sys.argv[1] if len(sys.argv) > 1 else "urllib"]()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        number = request.pop("id")
        # ASCII only: a lone surrogate or a control character goes through as an escape.
        print(json.dumps({"id": number, **answer(library, request)}), flush=True)


if __name__ == "__main__":
    main()
