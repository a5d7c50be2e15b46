#!/usr/bin/env php
<?php
// uriproof's line protocol for PHP: `php adapter.php [parse_url|rfc3986|whatwg]`.
//
// Not validated: `parse_url` splits, and is not meant for untrusted text (#refsect1-function.parse-url-description below).
// `Uri\WhatWg\Url` repairs what it can. `Uri\Rfc3986\Uri` matches the grammar when it parses and when it sets.

declare(strict_types=1);

class Unsupported extends Exception
{
}

class Rejected extends Exception
{
}

/** https://www.php.net/manual/en/function.parse-url.php, which follows no specification and does not validate. */
final class ParseUrl
{
    public const HELLO = [
        'name' => 'parse_url',
        'entry_point' => 'parse_url',
        'specification' => 'none',
        'validates' => false,
        'rules' => ['URI-reference'],
        'tells' => [ // the keys of the array that is returned: #refsect1-function.parse-url-returnvalues
            'scheme' => 'exact',
            'userinfo' => 'exact', // user and pass
            'host' => 'exact',
            'port' => 'number',
            'path' => 'exact',
            'query' => 'exact', // since PHP 8.0 a query or fragment that is empty is not one that is absent: ...-changelog
            'fragment' => 'exact',
        ],
    ];

    public function parse(string $rule, string $input): array
    {
        $parts = parse_url($input);
        if ($parts === false) {
            throw new Rejected('false');
        }
        $userinfo = $parts['user'] ?? null;
        if (isset($parts['pass'])) {
            $userinfo .= ':' . $parts['pass'];
        }

        return ['components' => [
            'scheme' => $parts['scheme'] ?? null,
            'userinfo' => $userinfo,
            'host' => $parts['host'] ?? null,
            'port' => isset($parts['port']) ? (string) $parts['port'] : null,
            'path' => $parts['path'] ?? '',
            'query' => $parts['query'] ?? null,
            'fragment' => $parts['fragment'] ?? null,
        ]];
    }
}

/** What both classes of the extension have, since PHP 8.5: https://www.php.net/manual/en/book.uri.php */
abstract class Extension
{
    public function __construct()
    {
        if (!class_exists(static::HELLO['name'])) {
            fwrite(STDERR, static::HELLO['name'] . ' needs PHP 8.5, and this is PHP ' . PHP_VERSION . "\n");
            exit(1);
        }
    }

    /** The constructor, resolve and each `with` method throw a Uri\InvalidUriException: .../uri-rfc3986-uri.construct.php */
    protected function uri(callable $make): object
    {
        try {
            return $make();
        } catch (Uri\InvalidUriException $error) {
            throw new Rejected($error->getMessage());
        }
    }

    protected function read(string $text): object
    {
        return $this->uri(fn () => new (static::HELLO['name'])($text));
    }

    protected function need(bool $holds, string $reason): void
    {
        if (!$holds) {
            throw new Unsupported($reason);
        }
    }

    /** withScheme, withHost, ... */
    protected function with(object $uri, string $component, ?string $value): object
    {
        $this->need($value !== null || $component !== 'path', 'no null as a path');
        if ($component === 'port' && $value !== null) {
            $this->need($value === (string) (int) $value, 'a port is an int');
            $value = (int) $value;
        }

        return $this->uri(fn () => $uri->{'with' . ucfirst($component)}($value));
    }

    /** equals: .../uri-rfc3986-uri.equals.php */
    protected function equal(object $left, object $right): bool
    {
        return $left->equals($right, Uri\UriComparisonMode::IncludeFragment);
    }

    /** The laws of equals; objects have neither a hash nor an order. */
    public function contract(string $left, string $right): array
    {
        [$one, $other] = [$this->read($left), $this->read($right)];
        $holds = [
            'reflexive' => $this->equal($one, $one) && $this->equal($other, $other),
            'symmetric' => $this->equal($one, $other) === $this->equal($other, $one),
        ];

        return ['broken' => array_keys($holds, false, true)];
    }
}

/** https://www.php.net/manual/en/class.uri-rfc3986-uri.php, where each method is */
final class Rfc3986 extends Extension
{
    public const HELLO = [
        'name' => 'Uri\Rfc3986\Uri',
        'entry_point' => 'new Uri',
        'specification' => 'RFC 3986',
        'rules' => ['URI-reference'],
        'tells' => [
            'scheme' => 'exact', // getRawScheme
            'userinfo' => 'exact', // getRawUserInfo
            'host' => 'exact', // getRawHost
            'port' => 'number', // getPort
            'path' => 'exact', // getRawPath
            'query' => 'exact', // getRawQuery
            'fragment' => 'exact', // getRawFragment
        ],
    ];

    public function parse(string $rule, string $input): array
    {
        $uri = $this->read($input);
        $port = $uri->getPort();

        return ['components' => [
            'scheme' => $uri->getRawScheme(),
            'userinfo' => $uri->getRawUserInfo(),
            'host' => $uri->getRawHost(),
            'port' => $port === null ? null : (string) $port,
            'path' => $uri->getRawPath(),
            'query' => $uri->getRawQuery(),
            'fragment' => $uri->getRawFragment(),
        ]];
    }

    public function resolve(string $base, string $reference, bool $strict): array // resolve
    {
        $this->need($strict, 'strict only');
        $base = $this->read($base);

        return ['uri' => $this->uri(fn () => $base->resolve($reference))->toRawString()];
    }

    public function normalize(string $uri, string $scope): array // toString, which normalizes
    {
        $this->need($scope === 'syntax', 'syntax-based only');

        return ['uri' => $this->read($uri)->toString()];
    }

    public function equivalent(string $left, string $right, string $rung): array // equals, which normalizes
    {
        $this->need($rung === 'syntax', 'syntax-based only');

        return ['equivalent' => $this->equal($this->read($left), $this->read($right))];
    }

    public function modify(string $uri, string $component, ?string $value): array
    {
        $component = $component === 'userinfo' ? 'userInfo' : $component;

        return ['uri' => $this->with($this->read($uri), $component, $value)->toRawString()];
    }

    public function roundTrip(string $uri): array // toRawString
    {
        return ['uri' => $this->read($uri)->toRawString()];
    }
}

/** https://www.php.net/manual/en/class.uri-whatwg-url.php, where each method is */
final class WhatWg extends Extension
{
    public const HELLO = [
        'name' => 'Uri\WhatWg\Url',
        'entry_point' => 'new Url',
        'specification' => 'WHATWG URL',
        'rules' => ['URI'],
        'forms' => 'normalized', // the parser lowers, decodes and encodes: https://url.spec.whatwg.org/#url-parsing
        'tells' => [
            'scheme' => 'exact', // getScheme
            'userinfo' => 'empty-is-undefined', // getUsername, getPassword
            'host' => 'exact', // getAsciiHost
            'port' => 'number', // getPort
            'path' => 'exact', // getPath
            'query' => 'exact', // getQuery
            'fragment' => 'exact', // getFragment
        ],
    ];

    public function parse(string $rule, string $input): array
    {
        $url = $this->read($input);
        [$userinfo, $password, $port] = [$url->getUsername(), $url->getPassword(), $url->getPort()];
        if ($password !== null && $password !== '') {
            $userinfo .= ':' . $password;
        }

        return ['components' => [
            'scheme' => $url->getScheme(),
            'userinfo' => $userinfo,
            'host' => $url->getAsciiHost(),
            'port' => $port === null ? null : (string) $port,
            'path' => $url->getPath(),
            'query' => $url->getQuery(),
            'fragment' => $url->getFragment(),
        ]];
    }

    /** Its special schemes resolve as a parser does that is not strict: https://url.spec.whatwg.org/#scheme-state */
    public function resolve(string $base, string $reference, bool $strict): array // resolve
    {
        $base = $this->read($base);
        $this->need($strict || preg_match('/^(https?|wss?|ftp|file)$/', $base->getScheme()), 'strict but for special schemes');

        return ['uri' => $this->uri(fn () => $base->resolve($reference))->toAsciiString()];
    }

    public function normalize(string $uri, string $scope): array // toAsciiString
    {
        $this->need($scope === 'scheme', 'scheme-based only');

        return ['uri' => $this->read($uri)->toAsciiString()];
    }

    public function equivalent(string $left, string $right, string $rung): array // equals
    {
        $this->need($rung === 'scheme', 'scheme-based only');

        return ['equivalent' => $this->equal($this->read($left), $this->read($right))];
    }

    /**
     * As in the setters of the standard, an empty value removes a component, and a value that the URL cannot have is ignored: a
     * user or port without a host, a scheme that is not special in place of one that is.
     */
    public function modify(string $uri, string $component, ?string $value): array
    {
        $this->need($component !== 'scheme' || $value !== null, 'no URL without a scheme');
        $removes = $value === '' && $component !== 'host' && $component !== 'path';
        $this->need(!$removes && !($component === 'userinfo' && str_ends_with($value ?? '', ':')), 'an empty value is none');
        $url = $this->read($uri);
        if ($component === 'userinfo') {
            [$user, $password] = explode(':', $value ?? '', 2) + [1 => ''];
            $changed = $this->with($this->with($url, 'username', $user), 'password', $password);
        } else {
            $changed = $this->with($url, $component, $value);
        }
        $is = $this->parse('URI', $uri)['components'][$component];
        $isKept = $is === $value || ($is !== null && strcasecmp($is, $value ?? '') === 0); // in another case
        $isDefault = $component === 'port' && preg_match('/^(21|80|443)$/', $value ?? '');
        if (!$isKept && !$isDefault && $component !== 'path' && $changed->toAsciiString() === $url->toAsciiString()) {
            throw new Rejected('ignored');
        }

        return ['uri' => $changed->toAsciiString()];
    }

    public function roundTrip(string $uri): array // toAsciiString
    {
        return ['uri' => $this->read($uri)->toAsciiString()];
    }
}

function answer(object $library, string $operation, array $arguments): array
{
    if ($operation === 'hello') {
        $names = array_map(fn (string $name) => str_replace('T', '-t', $name), get_class_methods($library));
        $operations = array_values(array_diff($names, ['__construct']));

        return $library::HELLO + ['version' => PHP_VERSION, 'language' => 'PHP', 'operations' => $operations];
    }
    $method = str_replace('-t', 'T', $operation);
    try {
        return ['outcome' => 'accepted'] + $library->$method(...$arguments);
    } catch (Unsupported $reason) {
        return ['outcome' => 'unsupported', 'reason' => $reason->getMessage()];
    } catch (Rejected $reason) { // anything else is a crash, and ends the process
        return ['outcome' => 'rejected', 'reason' => $reason->getMessage()];
    }
}

// Warnings of PHP are no answer.
ini_set('display_errors', 'stderr');
// The last line of stderr is the reason of a crash.
set_exception_handler(function (Throwable $error): void {
    fwrite(STDERR, get_class($error) . ': ' . $error->getMessage() . "\n");
    exit(1);
});
$library = match ($argv[1] ?? 'parse_url') {
    'parse_url' => new ParseUrl(),
    'rfc3986' => new Rfc3986(),
    'whatwg' => new WhatWg(),
};
while (($line = fgets(STDIN)) !== false) {
    $request = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    ['id' => $id, 'op' => $operation] = $request;
    unset($request['uriproof'], $request['id'], $request['op']);
    $answer = ['id' => $id] + answer($library, $operation, $request);
    fwrite(STDOUT, json_encode($answer, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES) . "\n");
    fflush(STDOUT);
}
