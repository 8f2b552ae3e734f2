// A hierarchical timer wheel: timers by deadline. It knows no clock, no thread and no lock; the caller guards it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SLOT_BITS = 6, SLOTS = 1 << SLOT_BITS, LEVELS = 9, NO_SLOT = -1 };
#define NEVER (UINT64_MAX >> 10) // nine digits of six bits

struct link {
    struct link *next, *prev;
};

// A timer lives inside what the caller owns; the wheel allocates nothing.
struct timer {
    struct link link; // first, so that a link is its timer
    void (*run)(struct timer *);
    struct collection *owner;
    uint64_t deadline; // in ticks
    int slot;          // NO_SLOT unless linked
};

// A tick is a number of nine digits in base 64. A timer lies at the highest digit in which its deadline differs from the
// current tick, in the slot that this digit of its deadline names.
struct wheel {
    uint64_t now;
    uint64_t occupied[LEVELS]; // a bit for each slot that holds timers
    unsigned occupied_levels;
    int cascading; // a slot that is being moved down, or NO_SLOT
    struct link slots[LEVELS * SLOTS];
};

void wheel_init(struct wheel *wheel, uint64_t now);
void wheel_add(struct wheel *wheel, struct timer *timer);
void wheel_remove(struct wheel *wheel, struct timer *timer);

// No timer is due before this tick. Exact within 64 ticks, beyond that a slot's beginning.
uint64_t wheel_earliest(const struct wheel *wheel);

// Moves towards a tick and takes out what is due on the way. Looks at no more than `budget` timers, so that a lock is not
// held for long. Returns how many it took out; `*done` says whether that was all.
int wheel_expire(struct wheel *wheel, uint64_t to, int budget, struct timer **due, bool *done);
