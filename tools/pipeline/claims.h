/*
 * Claims: small files that say which process works on a part, so that several processes and machines with one shared
 * folder do not do the same work (claims.c).
 */
#ifndef SEEBATCH_TOOL_CLAIMS_H
#define SEEBATCH_TOOL_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RENEW_SECONDS = 10, STALE_SECONDS = 120 };

/* A claim that this process holds, or none. */
struct claim {
    char *path;              /* NULL: none is held */
    uint64_t device, number; /* of the file */
    double renewed;          /* when, by this machine's steady clock */
};

enum claim_result { CLAIM_TAKEN, CLAIM_BUSY, CLAIM_FAILED /* and errno says why */ };

/* Takes the claim of this path if nobody holds it, or if its holder is dead. `clock` is a file in the same folder that
 * lasts as long as the run: what its time of modification becomes when it is touched is the time of the file system. */
enum claim_result claim_take(struct claim *claim, const char *path, const char *clock);

/* Touches a claim that is held, every RENEW_SECONDS; to be called more often than that. */
void claim_renew(struct claim *claim);

/* Gives up a claim that is held; does nothing if there is none. */
void claim_release(struct claim *claim);

#endif
