#!/usr/bin/env python3
"""Puts the vectors to urllib.parse: `uriproof vectors export | python3 examples/runner.py`; 1 if anything diverges."""
import json, sys
from collections import Counter
from urllib.parse import urljoin, urlsplit, urlunsplit

verdicts, unsupported, untold, names = Counter(agree=0, diverge=0, unsupported=0), Counter(), Counter(), Counter()

def run(operation, **given):
    """What urllib does with an input."""
    if operation == "parse" and given["rule"] == "URI-reference":
        parts = urlsplit(given["input"])
        components = {name: getattr(parts, name) for name in ("scheme", "path", "query", "fragment")}
        userinfo = parts.username if parts.password is None else f"{parts.username}:{parts.password}"
        components |= {"userinfo": userinfo, "host": parts.hostname, "port": parts.port}
        return {"outcome": "accepted", "components": components}
    if operation == "resolve" and given["strict"]:
        return {"outcome": "accepted", "uri": urljoin(given["base"], given["reference"])}
    if operation == "round-trip":
        return {"outcome": "accepted", "uri": urlunsplit(urlsplit(given["uri"]))}
    raise NotImplementedError({"parse": "parse as another rule", "resolve": "resolve, not strict"}.get(operation, operation))

def as_told(outcome):
    """An expected outcome as urllib would tell it, who lowers case and has no kinds of hosts and no undefined queries."""
    if "components" not in outcome: return outcome
    texts = {name: text or "" for name, text in outcome["components"].items()}
    host, port = texts["host"].strip("[]").lower() or None, int(texts["port"]) if texts["port"] else None
    told = texts | {"userinfo": outcome["components"]["userinfo"], "scheme": texts["scheme"].lower(), "host": host, "port": port}
    del told["host_kind"]
    untold.update(name for name, text in outcome["components"].items() if str(told.get(name)) != str(text))
    return {"outcome": "accepted", "components": told}

sys.stdout.reconfigure(encoding="utf-8")
getattr(sys, "set_int_max_str_digits", int)(0)  # a port has any number of digits; Python stops at 4,300
document = json.load(open(sys.argv[1], "rb") if sys.argv[1:] else sys.stdin.buffer)
quotes = {clause["id"]: clause["quote"] for clause in document["clauses"]}
reading = document.get("specification", "rfc3986")
for vector in document["vectors"]:
    expected = vector["expect"][reading]
    outcomes = expected.get("outcomes", [{"name": "the only outcome", "outcome": expected}])
    try:
        actual = run(**vector["input"])
    except ValueError:
        actual = {"outcome": "rejected"}
    except NotImplementedError as reason:
        verdicts["unsupported"] += 1
        unsupported[str(reason)] += 1
        continue
    except Exception as error:  # not what a library should do, and no rejection
        actual = {"outcome": f"crashed: {error!r}"}
    fitting = [one["name"] for one in outcomes if as_told(one["outcome"]) == actual]
    names.update(fitting)
    verdicts["agree" if fitting else "diverge"] += 1
    if not fitting:
        clause = vector["clauses"][0]
        shown = [json.dumps(one)[:300] for one in (vector["input"], actual, expected)]
        print(f"diverge {vector['id']}: {clause}: {quotes[clause]}", *shown, sep="\n    ")
for title, counts in {"not told exactly": untold, "unsupported": unsupported, "agree by": names, "vectors": verdicts}.items():
    print(f"{title}:", ", ".join(f"{name} {count}" for name, count in counts.items()))
sys.exit(1 if verdicts["diverge"] else 0)
