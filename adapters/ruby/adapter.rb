#!/usr/bin/env ruby
# frozen_string_literal: true

# uriproof's line protocol for Ruby libraries: `ruby adapter.rb [uri|addressable]`.
#
# Not validated: addressable splits with the expression of RFC 3986, Appendix B, and refuses only components that do not fit
# together (InvalidURIError). URI matches the grammar when it parses, and its setters check each value.

require 'json'

class Unsupported < StandardError; end

COMPONENTS = %i[scheme userinfo host port path query fragment].freeze

# What both libraries have, whose classes have the same methods. Each `#name` is on the page named at LIBRARIES below.
class Library
  attr_reader :hello, :refusals

  def initialize(library, maker, refusals, hello)
    @library = library
    @maker = maker
    @refusals = refusals
    operations = public_methods(false).map { |name| name.to_s.tr('_', '-') } & OPERATIONS
    @hello = { **hello, language: 'Ruby', rules: ['URI-reference'], operations: operations }
  end

  def parse(input:, **) # #parse, and the reader of each component
    uri = read(input)
    { components: reported(uri).to_h { |name| [name, uri.public_send(name)&.to_s] } }
  end

  def resolve(base:, reference:, strict:) # #join
    need strict, 'strict only'
    { uri: @library.join(base, reference).to_s }
  end

  def normalize(uri:, scope:) # #normalize: case, triplets, and the empty path of http
    need scope == 'scheme', 'scheme-based only'
    { uri: read(uri).normalize.to_s }
  end

  def compose(components:) # URI::Generic.build, Addressable::URI.new
    able components['scheme'], components['path'], components['port']
    { uri: @maker.call(components.transform_keys(&:to_sym)).to_s }
  end

  def equivalent(left:, right:, rung:) # #== compares what is normalized
    need rung == 'scheme', 'scheme-based only'
    { equivalent: read(left) == read(right) }
  end

  def relativize(base:, target:) # #route_to
    { uri: read(base).route_to(target).to_s }
  end

  def modify(uri:, component:, value:) # #scheme=, #userinfo=, #host=, #port=, #path=, #query=, #fragment=
    need !value.nil? || component != 'path', 'no URI without a path'
    changed = read(uri)
    able changed.scheme, *(component == 'path' ? [value, nil] : [nil, component == 'port' ? value : nil])
    changed.public_send("#{component}=", value)
    { uri: changed.to_s }
  end

  def round_trip(uri:) # #to_s
    { uri: read(uri).to_s }
  end

  # `hash` goes with `eql?`, not with `==`: https://docs.ruby-lang.org/en/3.1/Object.html#method-i-hash
  def contract(left:, right:)
    one, other = [left, right].map { |text| read(text) }
    holds = {
      reflexive: [one, other].all? { |uri| uri == uri.dup && uri.eql?(uri.dup) },
      symmetric: (one == other) == (other == one) && one.eql?(other) == other.eql?(one),
      hash: !one.eql?(other) || one.hash == other.hash
    }
    { broken: holds.reject { |_, law| law }.keys }
  end

  private

  def need(holds, reason)
    raise Unsupported, reason unless holds
  end

  # A port is an Integer, and a path without root behind a scheme is the `opaque` of the standard library.
  def able(scheme, path, port)
    need port != '', 'a port is a number'
    need !(scheme && path&.match?(%r{\A[^/]}) && @library.name == 'URI'), 'a path without root is opaque'
  end

  def read(text)
    @library.parse(text)
  end

  # A component that is not reported is not compared. A URI of the standard library may be opaque: then `opaque` is its path
  # and query. If it has no port, `port` is that of the scheme. The path of ftp is without its first slash: URI/FTP.html#method-i-path
  def reported(uri)
    return COMPONENTS unless @library.name == 'URI'

    opaque = uri.opaque ? %i[path query] : []
    COMPONENTS - opaque - (uri.is_a?(URI::FTP) ? [:path] : []) - (uri.port && uri.port == uri.default_port ? [:port] : [])
  end
end

OPERATIONS = %w[parse resolve normalize compose equivalent relativize modify round-trip contract].freeze
EXACT = COMPONENTS.to_h { |name| [name, name == :port ? 'number' : 'exact'] }.freeze # a port is an Integer

LIBRARIES = {
  # https://docs.ruby-lang.org/en/3.1/URI.html and https://docs.ruby-lang.org/en/3.1/URI/Generic.html
  'uri' => lambda do
    require 'uri'
    Library.new(
      URI, URI::Generic.method(:build), [URI::Error],
      name: 'uri',
      version: defined?(URI::VERSION) ? URI::VERSION : RUBY_VERSION,
      entry_point: 'URI.parse',
      specification: 'RFC 3986',
      # Generic.html#method-i-scheme has it in lower case; #method-i-userinfo joins user and password
      tells: { **EXACT, scheme: 'ignoring-case', userinfo: 'empty-is-undefined' }
    )
  end,
  # https://www.rubydoc.info/gems/addressable/Addressable/URI
  'addressable' => lambda do
    require 'addressable/uri'
    Library.new(
      Addressable::URI, Addressable::URI.method(:new), [Addressable::URI::InvalidURIError, ArgumentError],
      name: 'addressable',
      version: Addressable::VERSION::STRING,
      entry_point: 'Addressable::URI.parse',
      specification: 'RFC 3987',
      validates: false,
      tells: EXACT
    )
  end
}.freeze

def answer(library, operation, arguments)
  return library.hello if operation == 'hello'

  { outcome: 'accepted', **library.public_send(operation.tr('-', '_'), **arguments) }
rescue Unsupported => e
  { outcome: 'unsupported', reason: e.message }
rescue *library.refusals => e # anything else is a crash, and ends the process
  { outcome: 'rejected', reason: e.message }
end

library = LIBRARIES.fetch(ARGV.fetch(0, 'uri')).call
$stdin.set_encoding(Encoding::UTF_8)
$stdout.sync = true
$stdin.each_line("\n") do |line|
  request = JSON.parse(line).transform_keys(&:to_sym)
  id, operation = request.values_at(:id, :op)
  # ASCII only: whatever the library makes of a text goes through as an escape.
  puts JSON.generate({ id: id, **answer(library, operation, request.except(:uriproof, :id, :op)) }, ascii_only: true)
rescue StandardError => e # the last line of stderr is the reason of a crash
  abort "#{e.class}: #{e.message.lines.first}"
end
