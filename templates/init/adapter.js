#!/usr/bin/env node
// An adapter: the requests of uriproof, and the answers of your library. It reads a JSON object from each line of stdin, and writes one
// for each to stdout. Fill in `parse`; then the other operations that the library has.

const HELLO = {
  name: 'my-uri', // the library
  version: '0', // of the library
  entry_point: 'parse', // the function or class
  language: 'JavaScript',
  specification: 'RFC 3986', // what it claims: RFC 3986, RFC 3987, WHATWG URL, HTTP
  rules: ['URI-reference'], // what it parses: URI-reference, URI, absolute-URI, relative-ref
  operations: ['parse', 'resolve']
}

class Unsupported extends Error {}

// The components of `input`. null is a component that is not there, '' one that is empty; leave out what the library does not report.
function parse (input) {
  // const url = myUri.parse(input)
  // return { scheme: url.scheme, userinfo: url.userinfo, host: url.host, port: url.port,
  //   path: url.path, query: url.query, fragment: url.fragment }
  throw new Unsupported('fill in `parse` of the adapter')
}

// The target of `reference` against `base` (RFC 3986 section 5.2), as a string. A resolution that is not strict takes `http:g` for `g`
// if the base is `http` too.
function resolve (base, reference, strict) {
  if (!strict) throw new Unsupported('strict only')
  throw new Unsupported('fill in `resolve` of the adapter, or take it out of `operations`')
}

function answer ({ op, input, base, reference, strict }) {
  if (op === 'hello') return HELLO
  try {
    if (op === 'parse') return { outcome: 'accepted', components: parse(input) }
    return { outcome: 'accepted', uri: resolve(base, reference, strict) }
  } catch (error) {
    if (error instanceof Unsupported) return { outcome: 'unsupported', reason: error.message }
    // The errors by which the library refuses an input; any other is a crash.
    if (error instanceof TypeError) return { outcome: 'rejected', reason: error.message }
    throw error
  }
}

let rest = ''
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  for (const line of lines) {
    const request = JSON.parse(line)
    process.stdout.write(JSON.stringify({ id: request.id, ...answer(request) }) + '\n')
  }
})
