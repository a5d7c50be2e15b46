/* Reads the vectors as TSV and counts them: uriproof vectors export --format tsv | ./tsv
 *
 * POSIX C. A program that compares something does so where a line is counted: every field is text of a known length, or has
 * no value. Lines of one id and one reading are what conforms, any of them; they follow each other. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 64 };

struct field {
    char *text; /* NULL: no value; an undefined component, or a column of other operations */
    size_t length; /* text may hold NUL characters */
};

static int digit(char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; }

/* Unescapes a field in place: \N is no value, \xHH a byte, and there are no other escapes. */
static struct field unescape(char *text) {
    struct field field = { text, 0 };
    if (strcmp(text, "\\N") == 0) {
        field.text = NULL;
        return field;
    }
    for (; *text; text++) {
        if (strncmp(text, "\\x", 2) == 0 && text[2] && text[3]) {
            field.text[field.length++] = (char)(digit(text[2]) * 16 + digit(text[3]));
            text += 3;
        } else {
            field.text[field.length++] = *text;
        }
    }
    field.text[field.length] = '\0';
    return field;
}

/* Splits a line at its tabs, without its line feed; returns how many fields there are. */
static size_t split(char *line, struct field *fields) {
    size_t count = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *next = line; next && count < FIELDS; line = next) {
        next = strchr(line, '\t');
        if (next) *next++ = '\0';
        fields[count++] = unescape(line);
    }
    return count;
}

/* The number of a column. */
static size_t column(const struct field *names, size_t count, const char *name) {
    for (size_t at = 0; at < count; at++)
        if (strcmp(names[at].text, name) == 0) return at;
    fprintf(stderr, "no column %s\n", name);
    exit(2);
}

int main(void) {
    char *header = NULL, *line = NULL, last[256] = "";
    size_t room = 0, columns, vectors = 0, lines = 0, rejected = 0, undefined = 0, empty = 0, bytes = 0;
    struct field names[FIELDS], fields[FIELDS];

    if (getline(&header, &room, stdin) < 0) return 2;
    columns = split(header, names);
    size_t id = column(names, columns, "id"), input = column(names, columns, "input.input");
    size_t outcome = column(names, columns, "expect.outcome"), path = column(names, columns, "expect.components.path");
    size_t query = column(names, columns, "expect.components.query");

    for (room = 0; getline(&line, &room, stdin) >= 0; lines++) {
        if (split(line, fields) != columns) {
            fprintf(stderr, "line %zu has other columns\n", lines + 2);
            return 2;
        }
        if (strcmp(fields[id].text, last) != 0) {
            vectors++;
            snprintf(last, sizeof last, "%s", fields[id].text);
        }
        rejected += strcmp(fields[outcome].text, "rejected") == 0;
        if (fields[path].text) { /* there are components */
            undefined += !fields[query].text;
            empty += fields[query].text && fields[query].length == 0;
        }
        bytes += fields[input].length;
    }
    printf("vectors %zu\nlines %zu\nrejected %zu\nundefined queries %zu\nempty queries %zu\nbytes of input %zu\n", vectors,
           lines, rejected, undefined, empty, bytes);
    free(header);
    free(line);
    return 0;
}
