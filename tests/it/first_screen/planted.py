#!/usr/bin/env python3
"""The reference with one mistake: `planted.py URIPROOF [v|port|split]`. The program serves the reference; what it answers is changed."""

import json
import subprocess
import sys

program, mistake = sys.argv[1:3]
server = subprocess.Popen([program, "serve", "--subject", "reference"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def changed(request, answer):
    if request["op"] == "hello":
        operations = ["parse"] if mistake == "split" else ["parse", "resolve", "normalize"]
        declared = {"name": "planted", "version": "1.0.0", "entry_point": "parse", "operations": operations}
        return {**answer, **declared, "rules": ["URI-reference"], "validates": mistake != "split"}
    texts = [request.get(key, "") for key in ("input", "uri", "base", "reference")]
    if mistake == "v" and any("[v" in text or "[V" in text for text in texts):
        return {"id": answer["id"], "outcome": "rejected", "reason": "no such address"}
    if request["op"] != "parse" or mistake == "v":
        return answer
    # A splitter that ends the host at a backslash, as browsers do, and takes everything else as it is.
    text = request["input"]
    rest, fragment = text.split("#", 1) if "#" in text else (text, None)
    rest, query = rest.split("?", 1) if "?" in rest else (rest, None)
    scheme, colon, behind = rest.partition(":")
    scheme, rest = (scheme, behind) if colon and "/" not in scheme else (None, rest)
    userinfo = host = port = None
    if rest.startswith("//"):
        authority, slash, path = rest[2:].replace("\\", "/").partition("/")
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
