/*
 * SipHash-1-3 (Aumasson and Bernstein, 2012), which Rust and Python also use for their tables: one round for each
 * word and three at the end. The key is made of random bytes of the system.
 */
#define _DEFAULT_SOURCE /* getentropy() */
#define _DARWIN_C_SOURCE

#include "keyed_hash.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/random.h>
#endif

#include "splitmix.h"

struct hash_key seebatch_io_secret_key(void)
{
    struct hash_key key;
    struct timespec now;
    if (getentropy(&key, sizeof key) == 0)
        return key;
    /* A system without random numbers to give: what a file that was made before cannot know either. */
    clock_gettime(CLOCK_REALTIME, &now);
    key.half[0] = splitmix((uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 32);
    key.half[1] = splitmix((uint64_t)(uintptr_t)&now ^ (uint64_t)getpid() << 48);
    return key;
}

static uint64_t rotated(uint64_t word, int bits) { return word << bits | word >> (64 - bits); }

static inline void sip_round(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotated(v[1], 13) ^ v[0];
    v[3] = rotated(v[3], 16) ^ v[2];
    v[0] = rotated(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotated(v[1], 17) ^ v[2];
    v[3] = rotated(v[3], 21) ^ v[0];
    v[2] = rotated(v[2], 32);
}

static inline void take_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    sip_round(v);
    v[0] ^= word;
}

uint64_t seebatch_io_keyed_hash(const struct hash_key *key, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    uint64_t v[4] = {key->half[0] ^ UINT64_C(0x736f6d6570736575), key->half[1] ^ UINT64_C(0x646f72616e646f6d),
                     key->half[0] ^ UINT64_C(0x6c7967656e657261), key->half[1] ^ UINT64_C(0x7465646279746573)};
    uint64_t word, last = (uint64_t)length << 56;
    size_t left = length;
    for (; left >= sizeof word; at += sizeof word, left -= sizeof word) {
        memcpy(&word, at, sizeof word);
        take_word(v, word);
    }
    for (size_t i = 0; i < left; i++)
        last |= (uint64_t)at[i] << 8 * i;
    take_word(v, last);
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
