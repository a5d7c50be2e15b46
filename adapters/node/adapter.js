#!/usr/bin/env node
// uriproof's line protocol for JavaScript libraries: `node adapter.js [url|fast-uri|uri-js]`.
'use strict'

class Unsupported extends Error {}
class Rejected extends Error {}

const strictOnly = (strict) => {
  if (!strict) throw new Unsupported('strict only')
}

const LIBRARIES = {
  // The URL of the platform, which follows the WHATWG URL Standard: it normalizes as it parses.
  url: () => {
    const parsed = (text, base) => {
      try {
        return new URL(text, base)
      } catch (error) {
        throw new Rejected(error.code ?? error.message)
      }
    }
    return {
      hello: {
        name: 'URL',
        version: process.versions.node,
        entry_point: 'new URL',
        specification: 'WHATWG URL',
        rules: ['URI'],
        forms: 'normalized',
        tells: {
          scheme: 'exact',
          userinfo: 'empty-is-undefined',
          host: 'empty-is-undefined',
          port: 'empty-is-undefined',
          path: 'exact',
          query: 'empty-is-undefined',
          fragment: 'empty-is-undefined'
        }
      },
      parse: ({ input }) => {
        const url = parsed(input)
        const userinfo = url.password ? `${url.username}:${url.password}` : url.username
        return {
          components: {
            scheme: url.protocol.slice(0, -1),
            userinfo: userinfo || null,
            host: url.hostname || null,
            port: url.port || null,
            path: url.pathname,
            query: url.search.slice(1) || null,
            fragment: url.hash.slice(1) || null
          }
        }
      },
      resolve: ({ base, reference, strict }) => (strictOnly(strict), { uri: parsed(reference, parsed(base)).href })
    }
  },

  // https://www.npmjs.com/package/fast-uri
  'fast-uri': () => ofParser(require('fast-uri'), 'fast-uri', 'parse'),

  // https://www.npmjs.com/package/uri-js
  'uri-js': () => ofParser(require('uri-js'), 'uri-js', 'parse')
}

// fast-uri has the interface of uri-js.
function ofParser (library, name, entryPoint) {
  const parsed = (text) => {
    const parts = library.parse(text, { tolerant: false })
    if (parts.error) throw new Rejected(parts.error)
    return parts
  }
  const shown = (value) => (value === undefined ? null : String(value))
  return {
    hello: {
      name,
      version: require(`${name}/package.json`).version,
      entry_point: entryPoint,
      specification: 'RFC 3986',
      rules: ['URI-reference'],
      forms: 'normalized',
      tells: { scheme: 'exact', userinfo: 'exact', host: 'bare-host', port: 'number', path: 'exact', query: 'exact', fragment: 'exact' }
    },
    parse: ({ input }) => {
      const parts = parsed(input)
      return {
        components: {
          scheme: shown(parts.scheme),
          userinfo: shown(parts.userinfo),
          host: shown(parts.host),
          port: shown(parts.port),
          path: shown(parts.path) ?? '',
          query: shown(parts.query),
          fragment: shown(parts.fragment)
        }
      }
    },
    resolve: ({ base, reference, strict }) => {
      strictOnly(strict)
      parsed(base)
      parsed(reference)
      return { uri: library.resolve(base, reference, { tolerant: false }) }
    },
    normalize: ({ uri, scope }) => {
      if (scope !== 'scheme') throw new Unsupported('scheme-based only')
      parsed(uri)
      return { uri: library.normalize(uri) }
    },
    equivalent: ({ left, right, rung }) => {
      if (rung !== 'scheme') throw new Unsupported('scheme-based only')
      parsed(left)
      parsed(right)
      return { equivalent: library.equal(left, right) }
    }
  }
}

// The last line of stderr is what is told of a crash.
process.on('uncaughtException', (error) => {
  console.error(String(error))
  process.exit(1)
})

const { hello, ...operations } = LIBRARIES[process.argv[2] ?? 'url']()

function answer ({ op, ...request }) {
  if (op === 'hello') return { ...hello, language: 'JavaScript', operations: Object.keys(operations) }
  try {
    return { outcome: 'accepted', ...operations[op](request) }
  } catch (error) {
    if (error instanceof Rejected) return { outcome: 'rejected', reason: error.message }
    if (error instanceof Unsupported) return { outcome: 'unsupported', reason: error.message }
    throw error // a crash, which ends the process
  }
}

// Lines end with a line feed: `readline` takes U+2028 for an end too, which stands in requests as it is.
let rest = ''
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\n')
  rest = lines.pop()
  for (const line of lines) {
    const { id, ...request } = JSON.parse(line)
    process.stdout.write(JSON.stringify({ id, ...answer(request) }) + '\n')
  }
})
