/*
 * Tables and JSON lines hold each other's columns: those that are not known keep their names, their order and their
 * values.
 *
 * A table that is written has the columns of the first file: of a table all, in their order; otherwise the position and
 * the fields that any file has, and then the members of the first object that are not known. Of the other files,
 * columns are found by their names. An object that is written from a row has its columns as members.
 *
 * --column names the columns of fields (struct columns). The column that has the known name of such a field is then one
 * that is not known, and it has no place in another table or object, where it would be taken for the field.
 *
 * A name that comes twice in an object, or that a table would take for a known column, has no place: it is lost like
 * anything else that the target cannot hold.
 */
#include <stdlib.h>

#include "headings.h"
#include "support/errors.h"
#include "support/keyed_hash.h"
#include "support/quote.h"
#include "losses.h"

unsigned seebatch_io_field_of_name(struct cell name)
{
    static const struct {
        const char *name;
        unsigned field;
    } names[] = {
        {"fen", 0},        {"position", 0}, {"move", FIELD_MOVE}, {"score", FIELD_SCORE}, {"result", FIELD_RESULT},
        {"ply", FIELD_PLY}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i].name) == name.length && seebatch_io_same_letters(names[i].name, name.text, name.length))
            return names[i].field;
    return FIELD_COLUMNS;
}

int seebatch_io_place_of_field(unsigned field)
{
    return field == 0 ? (int)N_FIELDS : field == FIELD_COLUMNS ? -1 : __builtin_ctz(field);
}

/* The field at a place, as the command line calls it. */
static const char *name_of_place(int place) { return place == N_FIELDS ? "fen" : seebatch_io_field_name(1u << place); }

static bool has_name(const char *text, struct cell name)
{
    return text != NULL && strlen(text) == name.length && memcmp(text, name.text, name.length) == 0;
}

unsigned seebatch_io_field_in_source(const struct source *source, struct cell name)
{
    const struct columns *columns = &source->columns;
    for (int place = 0; columns->named && place <= N_FIELDS; place++)
        if (has_name(columns->names[place], name))
            return place == N_FIELDS ? 0 : 1u << place;
    const unsigned field = seebatch_io_field_of_name(name);
    return field != FIELD_COLUMNS && columns->names[seebatch_io_place_of_field(field)] != NULL ? FIELD_COLUMNS : field;
}

bool seebatch_io_columns_select(struct target *target, const char *list, seebatch_error *error)
{
    unsigned seen = 0;
    for (bool more = true; more; list++) {
        const size_t length = strcspn(list, ",");
        int place = 0;
        while (place <= N_FIELDS && !has_name(name_of_place(place), (struct cell){list, length}))
            place++;
        if (place > N_FIELDS)
            return seebatch_io_fail_with(
                error, "'%.*s' is not one of the columns, expected one of fen, move, score, result, ply", (int)length,
                list);
        if (seen >> place & 1)
            return seebatch_io_fail_with(error, "'%.*s' is named twice", (int)length, list);
        seen |= 1u << place;
        target->selected[target->n_selected++] = place == N_FIELDS ? 0 : 1u << place;
        list += length;
        more = *list == ',';
    }
    return seen >> N_FIELDS & 1 || seebatch_io_fail_with(error, "fen is missing, expected it among the columns");
}

bool seebatch_io_columns_name(struct columns *columns, const char *text, seebatch_error *error)
{
    const char *equals = strchr(text, '=');
    const struct cell field = {text, equals != NULL ? (size_t)(equals - text) : 0};
    const int place = seebatch_io_place_of_field(seebatch_io_field_of_name(field));
    if (equals == NULL || place < 0 || equals[1] == '\0')
        return seebatch_io_fail_with(
            error, "'%s' is not FIELD=NAME, expected one of fen=NAME, move=NAME, score=NAME, result=NAME, ply=NAME",
            text);
    for (int i = 0; i <= N_FIELDS; i++)
        if (columns->names[i] != NULL && (i == place || strcmp(columns->names[i], equals + 1) == 0))
            return seebatch_io_fail_with(error, "'%s' follows '%s=%s', expected one column for each field", text,
                                         name_of_place(i), columns->names[i]);
    columns->names[place] = equals + 1;
    columns->named = true;
    return true;
}

bool seebatch_io_has_named_columns(const struct source *source, seebatch_error *error)
{
    for (int place = 0; place <= N_FIELDS; place++)
        if (source->columns.names[place] != NULL &&
            seebatch_io_headings_find(&source->headings, place == N_FIELDS ? 0 : 1u << place) < 0)
            return seebatch_io_fail_with(error, "the header has no column '%s', which --column names as the %s",
                                         source->columns.names[place], name_of_place(place));
    return true;
}

/* ---- The list ---------------------------------------------------------------------------------------------------- */

static uint64_t hash(const struct hash_key *key, struct cell name)
{
    return seebatch_io_keyed_hash(key, name.text, name.length);
}

/* The table of places, since a file may have a million columns: a place from 1 on in the lower half of a slot, 0 for a free one, and bits of the name's hash in
 * the upper half, so that hardly any other name is looked at. It has a power of two of slots, half of them free at
 * least. */
struct places {
    struct hash_key key;
    uint64_t slot[];
};

static size_t slots_of(const struct headings *headings)
{
    return headings->places.used == 0 ? 0 : (headings->places.used - sizeof(struct places)) / sizeof(uint64_t);
}

static uint64_t entry_of(int place, uint64_t hash) { return (hash & ~(uint64_t)UINT32_MAX) | ((uint32_t)place + 1); }

static int place_in(uint64_t entry) { return (int)(uint32_t)entry - 1; }

/* The slot of a name with this hash, or the free one that it would take. */
static size_t slot_of(const struct headings *headings, struct cell name, uint64_t hash)
{
    const struct places *places = (const void *)headings->places.data;
    const size_t mask = slots_of(headings) - 1;
    size_t slot = (size_t)hash & mask;
    for (; places->slot[slot] != 0; slot = (slot + 1) & mask) {
        if ((places->slot[slot] ^ hash) >> 32 != 0)
            continue;
        const struct cell other = headings->list[place_in(places->slot[slot])].name;
        if (other.length == name.length && memcmp(other.text, name.text, name.length) == 0)
            break;
    }
    return slot;
}

/* Makes the table of all unknown columns; of those of one name it has the first. A million slots are not in the cache,
 * and each is asked for some names before it is needed. */
static void make_places(struct headings *headings)
{
    enum { LEAST_SLOTS = 16, AHEAD = 16 };
    const size_t n = (size_t)headings->n;
    size_t slots = LEAST_SLOTS;
    while (slots < 2 * n)
        slots *= 2;
    const size_t size = sizeof(struct places) + slots * sizeof(uint64_t);
    headings->places.used = 0;
    if (!bytes_reserve(&headings->places, size)) {
        headings->text.failed = true;
        return;
    }
    headings->places.used = size;
    memset(headings->places.data, 0, size);
    struct places *places = (void *)headings->places.data;
    uint64_t hashes[AHEAD];
    places->key = seebatch_io_secret_key();
    for (size_t i = 0; i < n + AHEAD; i++) {
        const uint64_t before = hashes[i % AHEAD];
        if (i < n) {
            hashes[i % AHEAD] = hash(&places->key, headings->list[i].name);
            __builtin_prefetch(&places->slot[hashes[i % AHEAD] & (slots - 1)], 1);
        }
        if (i < AHEAD || headings->list[i - AHEAD].field != FIELD_COLUMNS)
            continue;
        const size_t slot = slot_of(headings, headings->list[i - AHEAD].name, before);
        if (places->slot[slot] == 0)
            places->slot[slot] = entry_of((int)(i - AHEAD), before);
    }
}

int seebatch_io_headings_find_unknown(const struct headings *headings, struct cell name)
{
    if (slots_of(headings) == 0)
        return -1;
    const struct places *places = (const void *)headings->places.data;
    return place_in(places->slot[slot_of(headings, name, hash(&places->key, name))]);
}

int seebatch_io_headings_find(const struct headings *headings, unsigned field)
{
    return headings->known[seebatch_io_place_of_field(field)] - 1;
}

/* The first place of a column, whatever it is. */
static int place_of(const struct headings *headings, const struct heading *heading)
{
    return heading->field == FIELD_COLUMNS ? seebatch_io_headings_find_unknown(headings, heading->name)
                                           : seebatch_io_headings_find(headings, heading->field);
}

void seebatch_io_headings_empty(struct headings *headings)
{
    headings->n = 0;
    headings->places.used = 0;
    memset(headings->known, 0, sizeof headings->known);
}

void seebatch_io_headings_add(struct headings *headings, struct cell name, unsigned field)
{
    enum { FIRST_ROOM = 16 };
    if (headings->n == headings->room) {
        const int room = headings->room > 0 ? 2 * headings->room : FIRST_ROOM;
        struct heading *list = realloc(headings->list, (size_t)room * sizeof *list);
        if (list == NULL) {
            headings->text.failed = true;
            return;
        }
        headings->list = list;
        headings->room = room;
    }
    const int place = headings->n++;
    headings->list[place] = (struct heading){name, field, -1};
    if (field != FIELD_COLUMNS) {
        int *known = &headings->known[seebatch_io_place_of_field(field)];
        *known = *known != 0 ? *known : place + 1;
    }
}

void seebatch_io_headings_drop_repeated(struct headings *headings)
{
    int n = 0;
    make_places(headings);
    for (int i = 0; i < headings->n; i++)
        headings->list[i].place = place_of(headings, &headings->list[i]) == i ? 0 : -1;
    for (int i = 0; i < headings->n; i++)
        if (headings->list[i].place == 0)
            headings->list[n++] = headings->list[i];
    headings->n = n;
}

void seebatch_io_headings_free(struct headings *headings)
{
    free(headings->list);
    free(headings->text.data);
    free(headings->places.data);
}

/* ---- From a file to what is written ------------------------------------------------------------------------------ */

/* Whether a column has no place beside the known ones: --column has named another, and it has the known name. */
static bool is_in_the_way(const struct heading *heading)
{
    return heading->field == FIELD_COLUMNS && seebatch_io_field_of_name(heading->name) != FIELD_COLUMNS;
}

static void add_all(struct headings *headings, const struct headings *more)
{
    for (int i = 0; i < more->n; i++)
        if (!is_in_the_way(&more->list[i]))
            seebatch_io_headings_add(headings, more->list[i].name, more->list[i].field);
}

void seebatch_io_headings_of_target(struct target *target)
{
    static const struct cell none = {"", 0};
    const struct headings *first = &target->first->headings;
    const bool table = seebatch_io_headings_find(first, 0) >= 0;
    if (target->format->begin == NULL)
        return;
    for (int i = 0; i < target->n_selected; i++)
        seebatch_io_headings_add(&target->headings, none, target->selected[i]);
    if (target->n_selected > 0)
        return;
    if (table)
        add_all(&target->headings, first);
    else
        seebatch_io_headings_add(&target->headings, none, 0);
    for (unsigned field = 1; field < 1 << N_FIELDS; field <<= 1)
        if (target->fields & field && seebatch_io_headings_find(&target->headings, field) < 0)
            seebatch_io_headings_add(&target->headings, none, field);
    if (!table)
        add_all(&target->headings, first);
    make_places(&target->headings);
}

void seebatch_io_headings_place(struct source *source, const struct target *target)
{
    const bool table = target->format->begin != NULL;
    int place = 0;
    if (!table)
        make_places(&source->headings);
    for (int i = 0; i < source->headings.n; i++) {
        struct heading *heading = &source->headings.list[i];
        if (is_in_the_way(heading) || target->n_selected > 0)
            heading->place = -1;
        else if (table && source == target->first)
            heading->place = place++;
        else if (table)
            heading->place = place_of(&target->headings, heading);
        else
            heading->place = place_of(&source->headings, heading) == i ? i : -1;
    }
}

bool seebatch_io_add_columns(struct block *block, const struct record *record, const seebatch_position *position,
                             struct cell *row, size_t longest, add_column_function *add_column)
{
    struct bytes *text = &block->text;
    const struct headings *headings = &block->source->headings;
    if (!bytes_reserve(text, longest)) /* so that it does not move */
        return true;
    for (int i = 0; i < headings->n; i++) {
        const struct heading *heading = &headings->list[i];
        const size_t begin = text->used;
        if (heading->field != FIELD_COLUMNS || heading->place < 0)
            continue;
        add_column(text, record, position, heading->name);
        row[heading->place] = (struct cell){text->data + begin, text->used - begin};
    }
    return true;
}

/* ---- Names ------------------------------------------------------------------------------------------------------- */

static bool check_name(struct cell name, seebatch_io_error *error)
{
    if (name.length == 0)
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "a further column has an empty name, expected one of it");
    if (!seebatch_io_is_utf8(name.text, name.length))
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0, "the further column '%s' has a name that is not UTF-8",
                                quote(name.text, name.length).text);
    if (seebatch_io_field_of_name(name) == FIELD_COLUMNS)
        return true;
    return seebatch_io_fail(
        error, SEEBATCH_IO_USAGE, 0,
        "the further column '%s' would be read as a field of the record, expected a name other than "
        "fen, position, move, score, result and ply, in capitals or not",
        quote(name.text, name.length).text);
}

/* Whether none of n names comes twice. */
static bool check_repeated(struct headings *headings, const seebatch_column *columns, size_t n,
                           seebatch_io_error *error)
{
    for (size_t i = 0; i < n; i++)
        seebatch_io_headings_add(headings, (struct cell){columns[i].name, strlen(columns[i].name)}, FIELD_COLUMNS);
    if (!headings->text.failed)
        seebatch_io_headings_drop_repeated(headings);
    if (headings->text.failed)
        return seebatch_io_no_memory(error);
    for (size_t i = 0; i < n; i++) {
        if (i < (size_t)headings->n && headings->list[i].name.text == columns[i].name)
            continue;
        return seebatch_io_fail(error, SEEBATCH_IO_USAGE, 0,
                                "there are two further columns '%s', expected a name of its own for each",
                                quote(columns[i].name, strlen(columns[i].name)).text);
    }
    return true;
}

bool seebatch_io_names_check(const seebatch_column *columns, size_t n, seebatch_io_error *error)
{
    struct headings headings = {0};
    bool well = true;
    for (size_t i = 0; i < n && well; i++)
        well = check_name((struct cell){columns[i].name, strlen(columns[i].name)}, error);
    well = well && check_repeated(&headings, columns, n, error);
    seebatch_io_headings_free(&headings);
    return well;
}
