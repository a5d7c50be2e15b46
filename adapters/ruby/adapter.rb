#!/usr/bin/env ruby
# frozen_string_literal: true

# uriproof's line protocol for Ruby libraries: `ruby adapter.rb [uri|addressable]`.

require 'json'

class Unsupported < StandardError; end

# What both libraries have, whose classes have much the same methods.
module Operations
  def resolve(base:, reference:, strict:)
    raise Unsupported, 'strict only' unless strict

    { uri: library.join(base, reference).to_s }
  end

  # Case and triplets, and the empty path of http.
  def normalize(uri:, scope:)
    raise Unsupported, 'scheme-based only' unless scope == 'scheme'

    { uri: library.parse(uri).normalize.to_s }
  end

  # `==` compares what is normalized.
  def equivalent(left:, right:, rung:)
    raise Unsupported, 'scheme-based only' unless rung == 'scheme'

    { equivalent: library.parse(left) == library.parse(right) }
  end

  def relativize(base:, target:)
    { uri: library.parse(base).route_to(target).to_s }
  end

  def round_trip(uri:)
    { uri: library.parse(uri).to_s }
  end
end

# URI of the standard library.
class StandardUri
  include Operations

  HELLO = {
    name: 'uri',
    entry_point: 'URI.parse',
    specification: 'RFC 3986',
    tells: {
      scheme: 'ignoring-case',
      userinfo: 'empty-is-undefined',
      host: 'exact',
      port: 'number',
      path: 'exact',
      query: 'exact',
      fragment: 'exact'
    }
  }.freeze

  attr_reader :library, :refusals, :version

  def initialize
    require 'uri'
    @library = URI
    @refusals = [URI::Error]
    @version = defined?(URI::VERSION) ? URI::VERSION : RUBY_VERSION
  end

  def parse(input:, **)
    uri = URI.parse(input)
    told = { scheme: uri.scheme, userinfo: uri.userinfo, host: uri.host, fragment: uri.fragment }
    # A key that is missing cannot be told: `opaque` is the path with the query, and where no port was given, it is that
    # of the scheme.
    told.update(path: uri.path, query: uri.query) unless uri.opaque
    told[:port] = uri.port&.to_s unless uri.port && uri.port == uri.default_port
    { components: told }
  end

  def compose(components:)
    { uri: URI::Generic.build(components.transform_keys(&:to_sym)).to_s }
  end
end

# The gem addressable: https://rubygems.org/gems/addressable
class AddressableUri
  include Operations

  HELLO = {
    name: 'addressable',
    entry_point: 'Addressable::URI.parse',
    specification: 'RFC 3987',
    tells: {
      scheme: 'exact',
      userinfo: 'exact',
      host: 'exact',
      port: 'number',
      path: 'exact',
      query: 'exact',
      fragment: 'exact'
    }
  }.freeze

  attr_reader :library, :refusals, :version

  def initialize
    require 'addressable/uri'
    @library = Addressable::URI
    @refusals = [Addressable::URI::InvalidURIError, ArgumentError]
    @version = Addressable::VERSION::STRING
  end

  def parse(input:, **)
    uri = library.parse(input)
    {
      components: {
        scheme: uri.scheme,
        userinfo: uri.userinfo,
        host: uri.host,
        port: uri.port&.to_s,
        path: uri.path,
        query: uri.query,
        fragment: uri.fragment
      }
    }
  end

  def compose(components:)
    { uri: library.new(components.transform_keys(&:to_sym)).to_s }
  end
end

LIBRARIES = { 'uri' => StandardUri, 'addressable' => AddressableUri }.freeze
OPERATIONS = %w[parse resolve normalize compose equivalent relativize modify round-trip].freeze

def answer(library, operation, arguments)
  method = operation.tr('-', '_').to_sym
  if method == :hello
    has = OPERATIONS.select { |name| library.respond_to?(name.tr('-', '_')) }
    own = { version: library.version, language: 'Ruby', rules: ['URI-reference'], operations: has }
    return { **library.class::HELLO, **own }
  end
  { outcome: 'accepted', **library.public_send(method, **arguments) }
rescue Unsupported => e
  { outcome: 'unsupported', reason: e.message }
rescue *library.refusals => e # anything else is a crash, and ends the process
  { outcome: 'rejected', reason: e.message }
end

library = LIBRARIES.fetch(ARGV.fetch(0, 'uri')).new
$stdin.set_encoding(Encoding::UTF_8)
$stdout.sync = true
$stdin.each_line("\n") do |line|
  request = JSON.parse(line).transform_keys(&:to_sym)
  id, operation = request.values_at(:id, :op)
  arguments = request.except(:uriproof, :id, :op)
  # ASCII only: whatever the library makes of a text goes through as an escape.
  puts JSON.generate({ id: id, **answer(library, operation, arguments) }, ascii_only: true)
rescue StandardError => e # the last line of stderr is what is told of a crash
  abort "#{e.class}: #{e.message.lines.first}"
end
