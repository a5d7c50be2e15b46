/* uriproof's line protocol for uriparser: `cc -o adapter adapter.c -luriparser && ./adapter`.
 * C has no JSON; what the protocol needs of it is below.
 *
 * The documentation of each function and structure, by name: https://uriparser.github.io/doc/api/latest/Uri_8h.html
 * Everything is validated when it is parsed. */

#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uriparser/Uri.h>

/* A value of a request: a text, or a number or a boolean as it is spelled. The text of null is NULL. */
typedef struct {
    char *key, *text;
    size_t length;
} Field;

/* `compose` has the most fields: the components, and four more. */
enum { MAX_FIELDS = 16 };

typedef struct {
    Field fields[MAX_FIELDS];
    int count;
} Request;

static _Noreturn void die(const char *problem, const char *line)
{
    fprintf(stderr, "%s: %s\n", problem, line);
    exit(1);
}

/* ---- JSON ---- */

static char *put_utf8(char *out, unsigned code)
{
    if (code < 0x80) {
        *out++ = (char)code;
        return out;
    }
    if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6);
    } else {
        if (code < 0x10000) {
            *out++ = (char)(0xE0 | code >> 12);
        } else {
            *out++ = (char)(0xF0 | code >> 18);
            *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *out++ = (char)(0x80 | (code >> 6 & 0x3F));
    }
    *out++ = (char)(0x80 | (code & 0x3F));
    return out;
}

/* The four digits of an escape at `at`, or -1. */
static int hex4(const char *at)
{
    unsigned code;
    return strspn(at, "0123456789abcdefABCDEF") >= 4 && sscanf(at, "%4x", &code) == 1 ? (int)code : -1;
}

/* Reads the string that begins at `*at` with its quote, in place: escapes are longer than what they stand for. */
static char *read_string(char **at, size_t *length)
{
    char *in = *at + 1, *start = in, *out = in;
    while (*in != '"') {
        if (*in == '\0')
            die("a string has no end", start);
        if (*in != '\\') {
            *out++ = *in++;
            continue;
        }
        const char *plain = "\"\\/bfnrt", *stands_for = "\"\\/\b\f\n\r\t", *found = in[1] ? strchr(plain, in[1]) : NULL;
        if (found) {
            *out++ = stands_for[found - plain];
            in += 2;
            continue;
        }
        int code = in[1] == 'u' ? hex4(in + 2) : -1;
        if (code < 0)
            die("an escape is none", in);
        in += 6;
        if (code >= 0xD800 && code < 0xDC00 && in[0] == '\\' && in[1] == 'u') {
            int low = hex4(in + 2);
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                in += 6;
            }
        }
        out = put_utf8(out, (unsigned)code);
    }
    *length = (size_t)(out - start);
    *at = in + 1;
    *out = '\0';
    return start;
}

/* Reads the object in `line`, and one in it as if its fields were of the whole; the texts stay there. */
static Request read_request(char *line)
{
    Request request = { .count = 0 };
    char *at = line + strspn(line, " {");
    while (*at == '"' && request.count < MAX_FIELDS) {
        Field *field = &request.fields[request.count++];
        field->key = read_string(&at, &field->length);
        at += strspn(at, " :");
        if (*at == '"') {
            field->text = read_string(&at, &field->length);
        } else if (*at == '{') {
            at++;
            continue;
        } else {
            field->text = at;
            field->length = strcspn(at, " ,}");
            at += field->length;
        }
        char *end = at;
        at += strspn(at, " ,}\n");
        if (at == end)
            die("an object is none", line);
        if (field->text + field->length == end) {
            *end = '\0';
            if (strcmp(field->text, "null") == 0)
                field->text = NULL;
        }
    }
    return request;
}

static const Field *field(const Request *request, const char *key)
{
    for (int i = 0; i < request->count; i++)
        if (strcmp(request->fields[i].key, key) == 0)
            return &request->fields[i];
    die("a request has no such field", key);
}

static int is(const Request *request, const char *key, const char *value)
{
    return strcmp(field(request, key)->text, value) == 0;
}

/* Prints characters of a string; what is not ASCII goes through as it is. */
static void put_text(const char *first, const char *after_last)
{
    for (; first < after_last; first++) {
        unsigned char octet = (unsigned char)*first;
        if (octet < ' ' || octet == '"' || octet == '\\')
            printf("\\u%04x", octet);
        else
            putchar(octet);
    }
}

/* ---- uriparser ---- */

/* `modify` and `compose` are of 0.9.9. */
#if URI_VER_MAJOR > 0 || URI_VER_MINOR > 9 || (URI_VER_MINOR == 9 && URI_VER_RELEASE >= 9)
#define HAS_SETTERS
#define WITH_SETTERS ",\"compose\",\"modify\""
#else
#define WITH_SETTERS ""
#endif

/* Whether the library has not refused; an error that is no refusal is a crash, and ends the process. */
static int accepts(int code)
{
    switch (code) {
    case URI_SUCCESS:
        return 1;
    case URI_ERROR_SYNTAX:
    case URI_ERROR_ADDBASE_REL_BASE:
    case URI_ERROR_REMOVEBASE_REL_BASE:
    case URI_ERROR_REMOVEBASE_REL_SOURCE:
#ifdef HAS_SETTERS
    case URI_ERROR_SETUSERINFO_HOST_NOT_SET:
    case URI_ERROR_SETPORT_HOST_NOT_SET:
    case URI_ERROR_SETHOST_USERINFO_SET:
    case URI_ERROR_SETHOST_PORT_SET:
#endif
        return 0;
    default:
        fprintf(stderr, "uriparser fails with error %d\n", code);
        exit(1);
    }
}

static int parses(const Request *request, const char *key, UriUriA *uri)
{
    const Field *text = field(request, key);
    return accepts(uriParseSingleUriExA(uri, text->text, text->text + text->length, NULL));
}

static void reject(void)
{
    printf("\"outcome\":\"rejected\"");
}

static void unsupported(const char *reason)
{
    printf("\"outcome\":\"unsupported\",\"reason\":\"%s\"", reason);
}

static void put_uri(const UriUriA *uri)
{
    int length = 0;
    accepts(uriToStringCharsRequiredA(uri, &length));
    char *text = malloc((size_t)length + 1);
    if (!text || !accepts(uriToStringA(text, uri, length + 1, NULL)))
        die("uriparser cannot print", "");
    printf("\"outcome\":\"accepted\",\"uri\":\"");
    put_text(text, text + length);
    putchar('"');
    free(text);
}

/* What has no text is undefined. */
static void put_component(const char *name, UriTextRangeA range)
{
    printf("\"%s\":", name);
    if (!range.first) {
        printf("null,");
        return;
    }
    putchar('"');
    put_text(range.first, range.afterLast);
    printf("\",");
}

static void put_components(const UriUriA *uri)
{
    const UriHostDataA *data = &uri->hostData;
    int is_literal = data->ip6 || data->ipFuture.first, has_host = is_literal || data->ip4 || uri->hostText.first;
    printf("\"outcome\":\"accepted\",\"components\":{");
    put_component("scheme", uri->scheme);
    put_component("userinfo", uri->userInfo);
    if (is_literal) {
        /* The library keeps it without its brackets. */
        printf("\"host\":\"[");
        put_text(uri->hostText.first, uri->hostText.afterLast);
        printf("]\",");
    } else {
        put_component("host", uri->hostText);
    }
    const char *kind = data->ip4 ? "ipv4" : data->ip6 ? "ipv6" : data->ipFuture.first ? "ipvfuture" : "reg-name";
    if (has_host)
        printf("\"host_kind\":\"%s\",", kind);
    else
        printf("\"host_kind\":null,");
    put_component("port", uri->portText);
    put_component("query", uri->query);
    put_component("fragment", uri->fragment);
    /* Segments, before each of which there is a slash but before the first of a path without root. */
    printf("\"path\":\"%s", uri->absolutePath || (has_host && uri->pathHead) ? "/" : "");
    for (const UriPathSegmentA *segment = uri->pathHead; segment; segment = segment->next) {
        put_text(segment->text.first, segment->text.afterLast);
        if (segment->next)
            putchar('/');
    }
    printf("\"}");
}

static int parse_two(const Request *request, const char *one, UriUriA *first, const char *other, UriUriA *second)
{
    return parses(request, one, first) && parses(request, other, second);
}

static void put_if(int accepted, const UriUriA *uri)
{
    accepted ? put_uri(uri) : reject();
}

/* uriAddBaseUriExA; the options are those of UriResolutionOptions. */
static void resolve(const Request *request, UriUriA *one, UriUriA *other, UriUriA *made)
{
    UriResolutionOptions how = is(request, "strict", "true") ? URI_RESOLVE_STRICTLY : URI_RESOLVE_IDENTICAL_SCHEME_COMPAT;
    put_if(parse_two(request, "base", one, "reference", other) && accepts(uriAddBaseUriExA(made, other, one, how)), made);
}

/* uriNormalizeSyntaxExA, with every part of UriNormalizationMask. */
static void normalize(const Request *request, UriUriA *one)
{
    if (!is(request, "scope", "syntax"))
        unsupported("syntax-based only");
    else
        put_if(parses(request, "uri", one) && accepts(uriNormalizeSyntaxExA(one, (unsigned)-1)), one);
}

/* uriEqualsUriA: as they are, or both normalized. */
static void equivalent(const Request *request, UriUriA *one, UriUriA *other)
{
    unsigned mask = is(request, "rung", "syntax") ? (unsigned)-1 : URI_NORMALIZED;
    if (is(request, "rung", "scheme"))
        unsupported("without the scheme's rules only");
    else if (parse_two(request, "left", one, "right", other) && accepts(uriNormalizeSyntaxExA(one, mask))
             && accepts(uriNormalizeSyntaxExA(other, mask)))
        printf("\"outcome\":\"accepted\",\"equivalent\":%s", uriEqualsUriA(one, other) ? "true" : "false");
    else
        reject();
}

/* The laws of uriEqualsUriA; there is neither a hash nor an order. */
static void contract(const Request *request, UriUriA *one, UriUriA *other)
{
    if (!parse_two(request, "left", one, "right", other)) {
        reject();
        return;
    }
    int reflexive = uriEqualsUriA(one, one) && uriEqualsUriA(other, other);
    int symmetric = uriEqualsUriA(one, other) == uriEqualsUriA(other, one);
    printf("\"outcome\":\"accepted\",\"broken\":[%s%s%s]", reflexive ? "" : "\"reflexive\"",
           reflexive || symmetric ? "" : ",", symmetric ? "" : "\"symmetric\"");
}

#ifdef HAS_SETTERS
static int set(UriUriA *uri, const char *component, const Field *value)
{
    static const struct {
        const char *component;
        int (*set)(UriUriA *, const char *, const char *);
    } setters[] = {
        { "scheme", uriSetSchemeA }, { "userinfo", uriSetUserInfoA }, { "host", uriSetHostAutoA }, { "port", uriSetPortTextA },
        { "path", uriSetPathA },     { "query", uriSetQueryA },       { "fragment", uriSetFragmentA },
    };
    size_t at = 0;
    while (strcmp(setters[at].component, component) != 0)
        at++;
    /* uriSetPathA: behind a host a value begins with a slash. No path is NULL. */
    const char *text = strcmp(component, "path") == 0 && value->length == 0 ? NULL : value->text;
    return accepts(setters[at].set(uri, text, text ? text + value->length : NULL));
}

/* From a reference that is empty; a user and a port need a host. */
static void compose(const Request *request, UriUriA *uri)
{
    const char *order[] = { "scheme", "host", "userinfo", "port", "path", "query", "fragment" };
    int accepted = accepts(uriParseSingleUriExA(uri, "", NULL, NULL));
    for (int i = 0; i < 7 && accepted; i++)
        accepted = set(uri, order[i], field(request, order[i]));
    put_if(accepted, uri);
}

static void modify(const Request *request, UriUriA *uri)
{
    put_if(parses(request, "uri", uri) && set(uri, field(request, "component")->text, field(request, "value")), uri);
}
#endif

static void answer(const Request *request)
{
    UriUriA one = { 0 }, other = { 0 }, made = { 0 };
    if (is(request, "op", "hello"))
        printf("\"name\":\"uriparser\",\"version\":\"%s\",\"entry_point\":\"uriParseSingleUriExA\",\"language\":\"C\","
               "\"specification\":\"RFC 3986\",\"rules\":[\"URI-reference\"],\"operations\":[\"parse\",\"resolve\","
               "\"normalize\",\"equivalent\",\"relativize\",\"round-trip\",\"contract\"" WITH_SETTERS "]", URI_VER_ANSI);
    else if (is(request, "op", "parse")) /* uriParseSingleUriExA, and the fields of UriUriA */
        parses(request, "input", &one) ? put_components(&one) : reject();
    else if (is(request, "op", "resolve"))
        resolve(request, &one, &other, &made);
    else if (is(request, "op", "normalize"))
        normalize(request, &one);
    else if (is(request, "op", "equivalent"))
        equivalent(request, &one, &other);
    else if (is(request, "op", "relativize")) /* uriRemoveBaseUriA */
        put_if(parse_two(request, "base", &one, "target", &other) && accepts(uriRemoveBaseUriA(&made, &other, &one, URI_FALSE)),
               &made);
    else if (is(request, "op", "round-trip")) /* uriToStringA */
        put_if(parses(request, "uri", &one), &one);
    else if (is(request, "op", "contract"))
        contract(request, &one, &other);
#ifdef HAS_SETTERS
    else if (is(request, "op", "compose"))
        compose(request, &one);
    else if (is(request, "op", "modify"))
        modify(request, &one);
#endif
    else
        unsupported("no such operation");
    uriFreeUriMembersA(&made);
    uriFreeUriMembersA(&other);
    uriFreeUriMembersA(&one);
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        Request request = read_request(line);
        printf("{\"id\":%s,", field(&request, "id")->text);
        answer(&request);
        printf("}\n");
        fflush(stdout);
    }
    free(line);
    return 0;
}
