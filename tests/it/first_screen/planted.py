#!/usr/bin/env python3
"""The reference with one mistake: `planted.py URIPROOF [v|port|split|split-well|split-unsaid] [ENTRY_POINT]`. The program serves the reference; what it answers is changed."""

import json
import subprocess
import sys

program, mistake = sys.argv[1:3]
entry_point = sys.argv[3] if len(sys.argv) > 3 else "parse"
splits = mistake.startswith("split")
server = subprocess.Popen([program, "serve", "--subject", "reference"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def changed(request, answer):
    if request["op"] == "hello":
        operations = ["parse"] if splits else ["parse", "resolve", "normalize"]
        declared = {"name": "planted", "version": "1.0.0", "entry_point": entry_point, "operations": operations}
        return {**answer, **declared, "rules": ["URI-reference"], "validates": not splits or mistake == "split-unsaid"}
    texts = [request.get(key, "") for key in ("input", "uri", "base", "reference")]
    if mistake == "v" and any("[v" in text or "[V" in text for text in texts):
        return {"id": answer["id"], "outcome": "rejected", "reason": "no such address"}
    if request["op"] != "parse" or mistake == "v":
        return answer
    # A splitter that ends the host at a backslash, as browsers do, and takes everything else as it is; one that splits well does not.
    text = request["input"]
    rest, fragment = text.split("#", 1) if "#" in text else (text, None)
    rest, query = rest.split("?", 1) if "?" in rest else (rest, None)
    scheme, colon, behind = rest.partition(":")
    scheme, rest = (scheme, behind) if colon and "/" not in scheme else (None, rest)
    userinfo = host = port = None
    if rest.startswith("//"):
        authority, slash, path = (rest[2:] if mistake != "split" else rest[2:].replace("\\", "/")).partition("/")
        rest = slash + path
        before, at, host = authority.rpartition("@")
        userinfo = before if at else None
        end = (host.find("]") + 1 or len(host)) if host.startswith("[") else 0
        before, colon, behind = host[end:].partition(":")
        host, port = (host[:end] + before, behind) if colon else (host, None)
    components = {"scheme": scheme, "userinfo": userinfo, "host": host, "port": port, "path": rest, "query": query, "fragment": fragment}
    return {"id": answer["id"], "outcome": "accepted", "components": components}


for line in sys.stdin.buffer:
    server.stdin.write(line)
    server.stdin.flush()
    print(json.dumps(changed(json.loads(line), json.loads(server.stdout.readline()))), flush=True)
server.stdin.close()
sys.exit(server.wait())
