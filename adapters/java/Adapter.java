// uriproof's line protocol for java.net.URI: `java Adapter.java`. The JDK has no JSON; what the protocol needs of it is below.
// The documentation of the constructors and methods, by name:
// https://docs.oracle.com/en/java/javase/17/docs/api/java.base/java/net/URI.html
//
// Not validated: an authority that is not server-based ("registry-based") is not parsed further. All else is matched with the
// grammar of RFC 2396, with the deviations that the documentation lists.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public final class Adapter {
    public static void main(String[] arguments) {
        try {
            serve();
        } catch (Throwable error) {
            // The last line of stderr is the reason of a crash.
            System.err.println(error);
            System.exit(1);
        }
    }

    static void serve() throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        // No line of the protocol holds a bare carriage return, which `readLine` takes for an end.
        for (String line; (line = input.readLine()) != null; ) {
            Map<String, Object> request = new Json(line).object();
            var answer = new LinkedHashMap<String, Object>();
            answer.put("id", request.get("id"));
            answer.putAll(answer(request));
            output.print(Json.text(answer) + "\n");
            output.flush();
        }
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> answer(Map<String, Object> request) {
        try {
            return switch (text(request, "op")) {
                case "hello" -> HELLO;
                case "parse" -> accepted("components", components(uri(request, "input")));
                case "resolve" -> (Boolean) request.get("strict")
                    ? accepted("uri", uri(request, "base").resolve(uri(request, "reference")).toString())
                    : unsupported("strict only");
                case "compose" -> compose((Map<String, Object>) request.get("components"));
                case "relativize" -> accepted("uri", uri(request, "base").relativize(uri(request, "target")).toString());
                case "round-trip" -> accepted("uri", uri(request, "uri").toString());
                case "contract" -> accepted("broken", broken(uri(request, "left"), uri(request, "right")));
                default -> unsupported("no such operation");
            };
        } catch (URISyntaxException error) {
            return Map.of("outcome", "rejected", "reason", error.getReason());
        }
    }

    static final Map<String, Object> HELLO = Map.of(
        "name", "java.net.URI",
        "version", System.getProperty("java.version"),
        "entry_point", "new URI",
        "language", "Java",
        "specification", "RFC 2396",
        "rules", List.of("URI-reference"),
        "values", "data", // new URI: "The percent character ('%') is always quoted by these constructors"
        "tells", Map.of(
            "scheme", "exact", // getScheme
            "userinfo", "exact", // getRawUserInfo
            "host", "empty-is-undefined", // getHost; an empty authority is one that is undefined
            "port", "number", // getPort
            "path", "exact", // getRawPath
            "query", "exact", // getRawQuery
            "fragment", "exact"), // getRawFragment
        "operations", List.of("parse", "resolve", "compose", "relativize", "round-trip", "contract"));

    /** The constructor of seven components. It has no scheme, and so on, where an argument is null, and no port where it is -1. */
    static Map<String, Object> compose(Map<String, Object> parts) throws URISyntaxException {
        String port = text(parts, "port");
        if (port != null && !port.matches("0|[1-9][0-9]{0,8}")) {
            return unsupported("a port is an int");
        }
        var number = port == null ? -1 : Integer.parseInt(port);
        return accepted("uri", new URI(text(parts, "scheme"), text(parts, "userinfo"), text(parts, "host"), number,
            text(parts, "path"), text(parts, "query"), text(parts, "fragment")).toString());
    }

    /** equals, hashCode and compareTo, which should be consistent with equals: java.lang.Object and java.lang.Comparable. */
    static List<String> broken(URI left, URI right) {
        int order = Integer.signum(left.compareTo(right));
        var holds = new LinkedHashMap<String, Boolean>();
        holds.put("reflexive", left.equals(left) && right.equals(right));
        holds.put("symmetric", left.equals(right) == right.equals(left));
        holds.put("hash", !left.equals(right) || left.hashCode() == right.hashCode());
        holds.put("order", left.equals(right) == (order == 0) && left.compareTo(left) == 0);
        holds.put("antisymmetric", order == -Integer.signum(right.compareTo(left)));
        return holds.keySet().stream().filter(law -> !holds.get(law)).toList();
    }

    static URI uri(Map<String, Object> request, String key) throws URISyntaxException {
        return new URI(text(request, key));
    }

    static Map<String, Object> accepted(String key, Object value) {
        return Map.of("outcome", "accepted", key, value);
    }

    static Map<String, Object> unsupported(String reason) {
        return Map.of("outcome", "unsupported", "reason", reason);
    }

    static String text(Map<String, Object> request, String key) {
        return (String) request.get(key);
    }

    /** A key that is missing is not compared: what is opaque has no path here, and other authorities than servers no host. */
    static Map<String, Object> components(URI uri) {
        var components = new LinkedHashMap<String, Object>();
        components.put("scheme", uri.getScheme());
        components.put("fragment", uri.getRawFragment());
        if (uri.isOpaque()) {
            return components;
        }
        components.put("path", uri.getRawPath());
        components.put("query", uri.getRawQuery());
        if (uri.getHost() != null || uri.getRawAuthority() == null) {
            components.put("userinfo", uri.getRawUserInfo());
            components.put("host", uri.getHost());
            components.put("port", uri.getPort() < 0 ? null : Integer.toString(uri.getPort()));
        }
        return components;
    }

    /** JSON, as the protocol has it: strings, whole numbers, booleans, null, objects, arrays. */
    static final class Json {
        private final String text;
        private int at;

        Json(String text) {
            this.text = text;
        }

        Map<String, Object> object() {
            var object = new LinkedHashMap<String, Object>();
            expect('{');
            while (peek() != '}') {
                String key = string();
                expect(':');
                object.put(key, value());
                if (peek() == ',') {
                    at++;
                }
            }
            expect('}');
            return object;
        }

        private Object value() {
            return switch (peek()) {
                case '"' -> string();
                case '{' -> object();
                case 't', 'f' -> word().equals("true");
                case 'n' -> {
                    word();
                    yield null;
                }
                default -> Long.valueOf(word());
            };
        }

        private String word() {
            int start = at;
            while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '-')) {
                at++;
            }
            return text.substring(start, at);
        }

        private String string() {
            expect('"');
            var string = new StringBuilder();
            while (text.charAt(at) != '"') {
                char character = text.charAt(at++);
                if (character != '\\') {
                    string.append(character);
                    continue;
                }
                character = text.charAt(at++);
                switch (character) {
                    case 'b' -> string.append('\b');
                    case 'f' -> string.append('\f');
                    case 'n' -> string.append('\n');
                    case 'r' -> string.append('\r');
                    case 't' -> string.append('\t');
                    case 'u' -> {
                        string.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                        at += 4;
                    }
                    default -> string.append(character);
                }
            }
            at++;
            return string.toString();
        }

        private char peek() {
            while (text.charAt(at) == ' ') {
                at++;
            }
            return text.charAt(at);
        }

        private void expect(char wanted) {
            if (peek() != wanted) {
                throw new IllegalArgumentException("no " + wanted + " at " + at + ": " + text);
            }
            at++;
        }

        static String text(Object value) {
            if (value instanceof Map<?, ?> map) {
                var parts = map.entrySet().stream().map(entry -> text(entry.getKey()) + ":" + text(entry.getValue()));
                return "{" + String.join(",", parts.toList()) + "}";
            }
            if (value instanceof List<?> list) {
                return "[" + String.join(",", list.stream().map(Json::text).toList()) + "]";
            }
            return value instanceof String string ? quoted(string) : String.valueOf(value);
        }

        private static String quoted(String string) {
            var quoted = new StringBuilder("\"");
            for (char character : string.toCharArray()) {
                if (character == '"' || character == '\\') {
                    quoted.append('\\').append(character);
                } else if (character < ' ' || character > '~') {
                    quoted.append(String.format("\\u%04x", (int) character));
                } else {
                    quoted.append(character);
                }
            }
            return quoted.append('"').toString();
        }
    }
}
