// uriproof's line protocol for java.net.URI: `java Adapter.java`. The JDK has no JSON; what the protocol needs of it is below.

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
            // The last line of stderr is what is told of a crash.
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

    static Map<String, Object> answer(Map<String, Object> request) {
        try {
            return switch (text(request, "op")) {
                case "hello" -> Map.of(
                    "name", "java.net.URI",
                    "version", System.getProperty("java.version"),
                    "entry_point", "new URI",
                    "language", "Java",
                    "specification", "RFC 2396",
                    "rules", List.of("URI-reference"),
                    "operations", List.of("parse", "resolve", "round-trip"));
                case "parse" -> Map.of("outcome", "accepted", "components", components(new URI(text(request, "input"))));
                case "resolve" -> {
                    if (!(Boolean) request.get("strict")) {
                        yield Map.of("outcome", "unsupported", "reason", "strict only");
                    }
                    var target = new URI(text(request, "base")).resolve(new URI(text(request, "reference")));
                    yield Map.of("outcome", "accepted", "uri", target.toString());
                }
                case "round-trip" -> Map.of("outcome", "accepted", "uri", new URI(text(request, "uri")).toString());
                default -> Map.of("outcome", "unsupported", "reason", "no such operation");
            };
        } catch (URISyntaxException error) {
            return Map.of("outcome", "rejected", "reason", error.getReason());
        }
    }

    static String text(Map<String, Object> request, String key) {
        return (String) request.get(key);
    }

    /** A key that is missing cannot be told: what is opaque has no path here, and other authorities than servers no host. */
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
