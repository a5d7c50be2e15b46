#!/usr/bin/env php
<?php
// uriproof's line protocol for PHP: `php adapter.php [parse_url|rfc3986]`.

declare(strict_types=1);

class Unsupported extends Exception
{
}

class Rejected extends Exception
{
}

/** parse_url, which says of itself that it follows no specification. */
final class ParseUrl
{
    public const HELLO = [
        'name' => 'parse_url',
        'entry_point' => 'parse_url',
        'specification' => 'none',
        'validates' => false,
        'tells' => [
            'scheme' => 'exact',
            'userinfo' => 'exact',
            'host' => 'exact',
            'port' => 'number',
            'path' => 'exact',
            'query' => 'exact',
            'fragment' => 'exact',
        ],
        'operations' => ['parse'],
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

/** Uri\Rfc3986\Uri, since PHP 8.5. */
final class Rfc3986
{
    public const HELLO = [
        'name' => 'Uri\Rfc3986\Uri',
        'entry_point' => 'new Uri',
        'specification' => 'RFC 3986',
        'tells' => [
            'scheme' => 'exact',
            'userinfo' => 'exact',
            'host' => 'exact',
            'port' => 'number',
            'path' => 'exact',
            'query' => 'exact',
            'fragment' => 'exact',
        ],
        'operations' => ['parse', 'resolve', 'normalize', 'equivalent', 'round-trip'],
    ];

    public function __construct()
    {
        if (!class_exists(Uri\Rfc3986\Uri::class)) {
            fwrite(STDERR, 'Uri\Rfc3986\Uri needs PHP 8.5, and this is PHP ' . PHP_VERSION . "\n");
            exit(1);
        }
    }

    private function uri(string $text): Uri\Rfc3986\Uri
    {
        try {
            return new Uri\Rfc3986\Uri($text);
        } catch (Uri\InvalidUriException $error) {
            throw new Rejected($error->getMessage());
        }
    }

    public function parse(string $rule, string $input): array
    {
        $uri = $this->uri($input);
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

    public function resolve(string $base, string $reference, bool $strict): array
    {
        if (!$strict) {
            throw new Unsupported('strict only');
        }
        $base = $this->uri($base);
        try {
            return ['uri' => $base->resolve($reference)->toRawString()];
        } catch (Uri\InvalidUriException $error) {
            throw new Rejected($error->getMessage());
        }
    }

    public function normalize(string $uri, string $scope): array
    {
        if ($scope !== 'syntax') {
            throw new Unsupported('syntax-based only');
        }

        return ['uri' => $this->uri($uri)->toString()];
    }

    public function equivalent(string $left, string $right, string $rung): array
    {
        if ($rung !== 'syntax') {
            throw new Unsupported('syntax-based only');
        }

        return ['equivalent' => $this->uri($left)->equals($this->uri($right), Uri\UriComparisonMode::IncludeFragment)];
    }

    public function roundTrip(string $uri): array
    {
        return ['uri' => $this->uri($uri)->toRawString()];
    }
}

function answer(object $library, string $operation, array $arguments): array
{
    if ($operation === 'hello') {
        return $library::HELLO + ['version' => PHP_VERSION, 'language' => 'PHP', 'rules' => ['URI-reference']];
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

// What PHP has to say is no answer.
ini_set('display_errors', 'stderr');
// The last line of stderr is what is told of a crash.
set_exception_handler(function (Throwable $error): void {
    fwrite(STDERR, get_class($error) . ': ' . $error->getMessage() . "\n");
    exit(1);
});
$library = match ($argv[1] ?? 'parse_url') {
    'parse_url' => new ParseUrl(),
    'rfc3986' => new Rfc3986(),
};
while (($line = fgets(STDIN)) !== false) {
    $request = json_decode($line, true, flags: JSON_THROW_ON_ERROR);
    ['id' => $id, 'op' => $operation] = $request;
    unset($request['uriproof'], $request['id'], $request['op']);
    $answer = ['id' => $id] + answer($library, $operation, $request);
    fwrite(STDOUT, json_encode($answer, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES) . "\n");
    fflush(STDOUT);
}
