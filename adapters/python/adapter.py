#!/usr/bin/env python3
"""uriproof's line protocol for Python libraries: `python3 adapter.py [urllib|rfc3986|hyperlink|yarl]`.

Not validated: urllib.parse splits, and does "not perform validation of inputs"
(https://docs.python.org/3/library/urllib.parse.html#url-parsing-security); hyperlink checks only delimiters, ports and IP
addresses; yarl encodes what is not allowed. rfc3986 validates where a Validator is called, and here one is.
"""

import json
import os.path
import platform
import re
import sys
import traceback
import urllib.parse
from importlib import import_module, metadata

ALL = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")


def need(holds, reason):
    if not holds:
        raise NotImplementedError(reason)


def need_same_result(strict, base, reference):
    """urljoin, and yarl after it, ignore a scheme of a reference that is the base's, which RFC 3986 section 5.2.2 lets a parser do that is
    not strict; for schemes that they do not know they are strict. It matters for a reference without an authority."""
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):(?!//)", reference)
    if scheme and base.lower().startswith(scheme[0].lower()):
        ignores = scheme[1].lower() in urllib.parse.uses_relative
        need(strict != ignores, "not strict" if ignores else "strict but for some schemes")


def joined(user, password):
    return user if password is None else f"{user or ''}:{password}"


def texts(*values):
    return {name: None if value is None else str(value) for name, value in zip(ALL, values)}


def filled(value, component):
    """The value for a library in which "" is undefined."""
    need(value != "" or component == "path", '"" is undefined')
    return value or ""


def number(port):
    need(port is None or str(port).isdecimal(), "a port is a number")
    return None if port is None else int(port)


def bare(host):
    return host[1:-1] if host[:1] == "[" and host[-1:] == "]" else host


def laws(left, right, has_order=False):
    """The laws that two values break: https://docs.python.org/3/reference/datamodel.html#object.__lt__, #object.__hash__"""
    equal, pairs = left == right, [(left, right), (right, left), (left, left), (right, right)]
    holds = {
        "reflexive": left == left and right == right,
        "symmetric": equal == (right == left),
        "hash": not equal or hash(left) == hash(right),
        "order": not has_order or all((one == two) == (not one < two and not two < one) for one, two in pairs),
        "antisymmetric": not has_order or not (left < right and right < left),
        "partial-order": not has_order or all((one <= two) == (one < two or one == two) for one, two in pairs),
    }
    return [law for law in holds if not holds[law]]


class Urllib:
    """https://docs.python.org/3/library/urllib.parse.html"""

    name, entry_point, specification = "urllib.parse", "urlsplit", "RFC 3986"
    validates = False  # #url-parsing-security
    version = platform.python_version()
    tells = {  # the table of attributes at #urllib.parse.urlsplit
        "scheme": "ignoring-case",
        "userinfo": "exact",  # username and password
        "host": "bare-host",  # "(lower case)"
        "port": "number",  # "as integer"
        "path": "exact",
        "query": "empty-is-undefined",  # "empty string" if not present
        "fragment": "empty-is-undefined",
    }

    def read(self, text):  # #urllib.parse.urlsplit
        return urllib.parse.urlsplit(text)

    def components(self, url, _text):
        authority = joined(url.username, url.password), url.hostname, url.port
        return texts(url.scheme or None, *authority, url.path, url.query or None, url.fragment or None)

    def resolve(self, base, reference, strict):  # #urllib.parse.urljoin
        need_same_result(strict, base, reference)
        return urllib.parse.urljoin(base, reference)

    def compose(self, components):  # #urllib.parse.urlunsplit
        scheme, user, host, port, *rest = (filled(components[name], name) for name in ALL)
        netloc = (user and f"{user}@") + host + (port and f":{port}")
        return urllib.parse.urlunsplit((scheme, netloc, *rest))

    def modify(self, uri, component, value):  # _replace: #urllib.parse.urlsplit
        need(component not in ("userinfo", "host", "port"), "replaces the netloc as a whole")
        return self.read(uri)._replace(**{component: filled(value, component)}).geturl()

    def round_trip(self, uri):  # geturl: #urllib.parse.urllib.parse.SplitResult.geturl
        return self.read(uri).geturl()

    def contract(self, left, right):  # a tuple: #urllib.parse.urlsplit
        return laws(self.read(left), self.read(right), has_order=True)


class Rfc3986:
    """https://rfc3986.readthedocs.io/en/latest/user/parsing.html, and the pages beside it"""

    entry_point, specification = "uri_reference", "RFC 3986"
    tells = dict.fromkeys(ALL, "exact")  # parsing.html, and authority_info of api-ref/uri.html

    def __init__(self):
        self.library, self.builder = import_module("rfc3986"), import_module("rfc3986.builder").URIBuilder
        self.refusals = (self.library.exceptions.RFC3986Exception,)
        self.validator = self.library.validators.Validator().check_validity_of(*ALL)  # validating.html

    def valid(self, reference):
        self.validator.validate(reference)
        return reference

    def read(self, text):
        return self.valid(self.library.uri_reference(text))

    def components(self, uri, _text):
        whole = uri.authority_info() if uri.authority else {}
        authority = whole.get("userinfo"), whole.get("host", uri.authority), whole.get("port")
        return texts(uri.scheme, *authority, uri.path or "", uri.query, uri.fragment)

    def resolve(self, base, reference, strict):  # resolve_with: resolving.html
        return self.read(reference).resolve_with(self.read(base), strict=strict).unsplit()

    def normalize(self, uri, scope):  # normalizing.html
        need(scope == "syntax", "syntax-based only")
        return self.read(uri).normalize().unsplit()

    def compose(self, components):  # building.html
        return self.valid(self.builder(**components).finalize()).unsplit()

    def equivalent(self, left, right, rung):  # normalized_equality: api-ref/uri.html
        need(rung == "syntax", "syntax-based only")
        return self.read(left).normalized_equality(self.read(right))

    def modify(self, uri, component, value):
        old = self.read(uri)
        if component not in ("userinfo", "host", "port"):  # copy_with: api-ref/uri.html
            return self.valid(old.copy_with(**{component: value})).unsplit()
        need(value is not None and not (component == "userinfo" and "%" in value), "no None; a user and password are data")
        builder = self.builder.from_uri(old)  # building.html
        user, colon, password = value.partition(":")
        add = {"userinfo": builder.add_credentials, "host": builder.add_host, "port": builder.add_port}[component]
        new = add(user, password if colon else None) if component == "userinfo" else add(value)
        return self.valid(new.finalize()).unsplit()

    def round_trip(self, uri):  # unsplit: api-ref/uri.html
        return self.read(uri).unsplit()

    def contract(self, left, right):  # == compares, normalized where it must: api-ref/uri.html. No order is documented
        return laws(self.read(left), self.read(right))


class Hyperlink:
    """https://hyperlink.readthedocs.io/en/latest/api.html#hyperlink.URL, where each method is."""

    entry_point, specification = "URL.from_text", "RFC 3987"
    validates = False  # from_text raises an error for a port and an address in brackets only
    # Paths, queries and ports are kept as parts and numbers, of which the text cannot be had.
    tells = {"scheme": "ignoring-case", "userinfo": "empty-is-undefined", "host": "bare-host", "fragment": "empty-is-undefined"}

    def __init__(self):
        self.library = import_module("hyperlink")
        self.read = self.library.URL.from_text

    def components(self, url, _text):
        shown = {"scheme": url.scheme, "userinfo": url.userinfo, "host": url.host, "fragment": url.fragment}
        return {name: value or None for name, value in shown.items()}

    def text(self, url):
        return url.to_text(with_password=True)

    def resolve(self, base, reference, strict):
        need(strict, "strict only")
        return self.text(self.read(base).click(reference))

    def normalize(self, uri, scope):
        need(scope == "syntax", "syntax-based only")
        return self.text(self.read(uri).normalize())

    def arguments(self, component, value):
        """Those of URL and of replace: segments of a path, pairs of a query, each percent-encoded; "" is undefined."""
        if component == "port":
            return {"port": number(value)}
        text = filled(value, component)
        if component == "path":
            rooted = text.startswith("/")
            return {"path": text[rooted:].split("/") if text else (), "rooted": rooted}
        if component == "query":
            pairs = (pair.partition("=") for pair in text.split("&") if text)
            return {"query": [(key, data if equals else None) for key, equals, data in pairs]}
        return {component: bare(text)}

    def compose(self, components):  # URL
        arguments = {}
        for component, value in components.items():
            arguments.update(self.arguments(component, value))
        return self.text(self.library.URL(**arguments))

    def modify(self, uri, component, value):  # replace
        return self.text(self.read(uri).replace(**self.arguments(component, value)))

    def round_trip(self, uri):
        return self.text(self.read(uri))

    def contract(self, left, right):
        return laws(self.read(left), self.read(right))


class Yarl:
    """https://yarl.aio-libs.org/en/latest/api.html, where each property and method is"""

    entry_point, specification = "URL", "RFC 3987"
    validates = False  # #yarl.URL: what is not allowed is encoded
    forms, values = "normalized", "data"  # #yarl.URL: what need not be encoded is decoded
    tells = {
        "scheme": "ignoring-case",
        "userinfo": "empty-is-undefined",
        "host": "host-value",
        "port": "number",
        "path": "exact",
        "query": "empty-is-undefined",
        "fragment": "empty-is-undefined",
    }

    def __init__(self):
        self.library = import_module("yarl")
        self.read = self.library.URL

    def components(self, url, text):
        authority = joined(url.raw_user, url.raw_password), url.host_subcomponent, url.explicit_port
        reported = texts(url.scheme or None, *authority, url.raw_path, url.raw_query_string or None, url.raw_fragment or None)
        # A key that is missing is not compared. An empty host is None, and an empty path behind a host is "/" (#yarl.URL.raw_path).
        unclear = ["host"] if "//" in text and not url.host_subcomponent else []
        unclear += ["path"] if url.absolute and url.raw_path == "/" else []
        return {name: value for name, value in reported.items() if name not in unclear}

    def resolve(self, base, reference, strict):
        need_same_result(strict, base, reference)
        return str(self.read(base).join(self.read(reference)))

    def compose(self, components):
        parts = {name: filled(value, name) for name, value in components.items()}
        user, colon, password = parts.pop("userinfo").partition(":")
        whose = {"user": user or None, "password": password if colon else None, "host": bare(parts.pop("host"))}
        rest = {"port": number(parts.pop("port") or None), "query_string": parts.pop("query")}
        return str(self.read.build(**parts, **whose, **rest))

    def modify(self, uri, component, value):
        need(value is not None or component not in ("scheme", "host", "path"), "takes a text")
        url, filler = self.read(uri), None if value is None else filled(value, component)
        user, colon, password = (filler or "").partition(":")
        setters = {
            "scheme": lambda: url.with_scheme(filler or ""),
            "userinfo": lambda: url.with_user(user or None).with_password(password if colon else None),
            "host": lambda: url.with_host(bare(filler or "")),
            "port": lambda: url.with_port(number(value)),
            "path": lambda: url.with_path(value, keep_query=True, keep_fragment=True),
            "query": lambda: url.with_query(filler),
            "fragment": lambda: url.with_fragment(filler),
        }
        return str(setters[component]())

    def round_trip(self, uri):
        return str(self.read(uri))

    def contract(self, left, right):
        return laws(self.read(left), self.read(right), has_order=True)


LIBRARIES = {"urllib": Urllib, "rfc3986": Rfc3986, "hyperlink": Hyperlink, "yarl": Yarl}
ANSWERS = {"parse": "components", "equivalent": "equivalent", "contract": "broken"}  # the others answer `uri`
OPERATIONS = ("resolve", "normalize", "compose", "equivalent", "modify", "round-trip", "contract")


def hello(library, name):
    declared = ("entry_point", "specification", "tells", "forms", "values", "validates")
    return {
        "name": getattr(library, "name", name),
        "version": getattr(library, "version", None) or metadata.version(name),
        "language": "Python",
        "rules": ["URI-reference"],
        "operations": ["parse", *(operation for operation in OPERATIONS if hasattr(library, operation.replace("-", "_")))],
        **{key: getattr(library, key) for key in declared if hasattr(library, key)},
    }


def answer(library, operation, arguments):
    try:
        if operation == "parse":
            value = library.components(library.read(arguments["input"]), arguments["input"])
        else:
            value = getattr(library, operation.replace("-", "_"))(**arguments)
        return {"outcome": "accepted", ANSWERS.get(operation, "uri"): value}
    except NotImplementedError as error:
        return {"outcome": "unsupported", "reason": str(error)}
    except (ValueError, *getattr(library, "refusals", ())) as error:
        return {"outcome": "rejected", "reason": str(error)}
    except Exception as error:  # anything else is a crash, with its place
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"({os.path.basename(place.filename)}:{place.lineno})"
        return {"outcome": "crashed", "reason": f"{type(error).__name__}: {error} {where}"}


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else next(iter(LIBRARIES))
    library = LIBRARIES[name]()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        request.pop("uriproof", None)
        number_of_request, operation = request.pop("id"), request.pop("op")
        answered = hello(library, name) if operation == "hello" else answer(library, operation, request)
        # ASCII only: a lone surrogate or a control character goes through as an escape.
        print(json.dumps({"id": number_of_request, **answered}), flush=True)


if __name__ == "__main__":
    main()
