#!/usr/bin/env node
// uriproof's line protocol for JavaScript libraries: `node adapter.js [url|whatwg-url|fast-uri|uri-js]`.
//
// Not validated: `URL` and whatwg-url follow the WHATWG URL Standard, which repairs what it can (https://url.spec.whatwg.org/#writing).
// uri-js has no validation since 3.0 (its README, "Breaking changes from 2.x"): what its grammar does not allow is taken
// and encoded. fast-uri reports a malformed authority, port, scheme or triplet, and encodes the rest.
'use strict'

class Unsupported extends Error {}
class Rejected extends Error {}

const need = (holds, reason) => {
  if (!holds) throw new Unsupported(reason)
}
const orNull = (text) => (text === '' ? null : text)

// The class URL: that of the platform (https://nodejs.org/docs/latest-v20.x/api/url.html#the-whatwg-url-api), or that of whatwg-url
// (https://github.com/jsdom/whatwg-url#the-url-and-urlsearchparams-classes), which has the same members.
function ofStandard (URL, name, version) {
  const parsed = (text, base) => {
    try {
      return new URL(text, base) // throws a TypeError: #new-urlinput-base
    } catch (error) {
      throw new Rejected(error.code ?? error.message)
    }
  }
  const whole = (value) => need(value !== '', '"" removes the component')
  // Invalid values that are "assigned to the `hostname` property are ignored" (so too in #urlprotocol, #urlport), without an error.
  const set = (url, property, value) => {
    const before = url.href
    url[property] = value
    const isDefault = property === 'port' && /^(21|80|443)$/.test(value) // which is not kept
    if (url.href === before && url[property] !== value && !isDefault) throw new Rejected('ignored')
  }
  const setters = {
    scheme: (url, value) => (need(value, 'no URL without a scheme'), set(url, 'protocol', `${value}:`)), // #urlprotocol
    userinfo: (url, value) => {
      const [, username, password] = /^([^:]*):?(.*)$/s.exec(value ?? '')
      need(value === null || (value && !value.endsWith(':')), '"" removes the component')
      set(url, 'username', username) // #urlusername
      set(url, 'password', password) // #urlpassword
    },
    host: (url, value) => (need(value !== null, '"" is both'), set(url, 'hostname', value)), // #urlhostname
    port: (url, value) => (whole(value), set(url, 'port', value ?? '')), // #urlport
    path: (url, value) => (url.pathname = value ?? ''), // #urlpathname
    query: (url, value) => (whole(value), (url.search = value === null ? '' : `?${value}`)), // #urlsearch
    fragment: (url, value) => (whole(value), (url.hash = value === null ? '' : `#${value}`)) // #urlhash
  }
  return {
    hello: {
      name,
      version,
      entry_point: 'new URL',
      specification: 'WHATWG URL',
      rules: ['URI'],
      forms: 'normalized', // the parser lowers, decodes and encodes: #new-urlinput-base
      tells: {
        scheme: 'exact', // #urlprotocol
        userinfo: 'empty-is-undefined', // #urlusername, #urlpassword
        host: 'empty-is-undefined', // #urlhostname
        port: 'empty-is-undefined', // #urlport
        path: 'exact', // #urlpathname
        query: 'empty-is-undefined', // #urlsearch
        fragment: 'empty-is-undefined' // #urlhash
      }
    },
    parse: ({ input }) => {
      const url = parsed(input)
      return {
        components: {
          scheme: url.protocol.slice(0, -1),
          userinfo: orNull(url.password ? `${url.username}:${url.password}` : url.username),
          host: orNull(url.hostname),
          port: orNull(url.port),
          path: url.pathname,
          query: orNull(url.search.slice(1)),
          fragment: orNull(url.hash.slice(1))
        }
      }
    },
    // Its special schemes resolve as a parser does that is not strict: https://url.spec.whatwg.org/#scheme-state
    resolve: ({ base, reference, strict }) => {
      const from = parsed(base)
      need(strict || /^(https?|wss?|ftp|file):/.test(from), 'strict but for special schemes')
      return { uri: parsed(reference, from).href } // #new-urlinput-base
    },
    normalize: ({ uri, scope }) => (need(scope === 'scheme', 'scheme-based only'), { uri: parsed(uri).href }), // #urlhref
    modify: ({ uri, component, value }) => {
      const url = parsed(uri)
      setters[component](url, value)
      return { uri: url.href }
    },
    'round-trip': ({ uri }) => ({ uri: parsed(uri).href }) // #urlhref
  }
}

// The interface of https://github.com/garycourt/uri-js#api and of https://github.com/fastify/fast-uri#usage. `refuses` says
// which exceptions are refusals by the documentation: all others are crashes.
function ofParser (name, refuses, validates = true) {
  const library = require(name)
  const call = (operation, ...values) => {
    try {
      return library[operation](...values)
    } catch (error) {
      throw refuses(error) ? new Rejected(error.message) : error
    }
  }
  // `parse` does not throw, but sets `error`: "Options" in the README of fast-uri, "Breaking changes from 1.x" in that of uri-js.
  const parsed = (text) => {
    const parts = library.parse(text)
    if (parts.error) throw new Rejected(parts.error)
    return parts
  }
  // mailto, ws and urn have properties of their own in place of the path and query ("Scheme support").
  const isOfScheme = (parts) => parts.path === undefined
  const scheme = (is) => need(is === 'scheme', 'scheme-based only')
  return {
    hello: {
      name,
      version: require(`${name}/package.json`).version,
      entry_point: 'parse',
      specification: 'RFC 3986',
      rules: ['URI-reference'],
      validates,
      forms: 'normalized', // "Parsing" and "Normalizing"
      // Each as in the example of "Parsing"; a port is a number, an IPv6 address is normalized ("IP Support").
      tells: {
        scheme: 'exact',
        userinfo: 'exact',
        host: 'host-value',
        port: 'number',
        path: 'exact',
        query: 'exact',
        fragment: 'exact'
      }
    },
    parse: ({ input }) => {
      const { scheme = null, userinfo = null, host = null, port = null, path, query, fragment = null } = parsed(input)
      return {
        components: {
          scheme,
          userinfo,
          host: /^[^[]*:/.test(host) ? `[${host}]` : host, // an IPv6 address has lost its brackets: "IP Support"
          port: port === null ? null : String(port),
          path,
          query: path === undefined ? query : query ?? null,
          fragment
        }
      }
    },
    // "Resolving", "Normalizing", "Comparison" (in fast-uri "Equal"): the strings as they are, without a check by `parse`.
    // `tolerant` relaxes the rules ("Options").
    resolve: ({ base, reference, strict }) => ({ uri: call('resolve', base, reference, { tolerant: !strict }) }),
    normalize: ({ uri, scope }) => (scheme(scope), { uri: call('normalize', uri) }),
    equivalent: ({ left, right, rung }) => (scheme(rung), { equivalent: call('equal', left, right) }),
    // "Serializing", from the object that `parse` returns or one that the caller makes.
    compose: ({ components }) => ({
      uri: call('serialize', Object.fromEntries(Object.entries(components).filter(([, value]) => value !== null)))
    }),
    modify: ({ uri, component, value }) => {
      const parts = parsed(uri)
      need(!isOfScheme(parts) || !/path|query/.test(component), 'another property in this scheme')
      return { uri: call('serialize', { ...parts, [component]: value ?? undefined }) }
    },
    'round-trip': ({ uri }) => ({ uri: call('serialize', parsed(uri)) })
  }
}

const LIBRARIES = {
  url: () => ofStandard(URL, 'URL', process.versions.node),
  'whatwg-url': () => ofStandard(require('whatwg-url').URL, 'whatwg-url', require('whatwg-url/package.json').version),
  // `resolve` and `serialize` throw what `parse` says by `error` ("Options"): an Error, or a TypeError with the same text.
  'fast-uri': () => ofParser('fast-uri', (error) => error.constructor === Error || /^URI \w+ is malformed/.test(error.message)),
  'uri-js': () => ofParser('uri-js', () => false, false)
}

// The last line of stderr is the reason of a crash.
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
