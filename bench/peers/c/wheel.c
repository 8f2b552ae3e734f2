#include "wheel.h"

static bool is_empty(const struct link *slot) { return slot->next == slot; }

void wheel_init(struct wheel *wheel, uint64_t now) {
    *wheel = (struct wheel){.now = now, .cascading = NO_SLOT};
    for (int i = 0; i < LEVELS * SLOTS; i++)
        wheel->slots[i].next = wheel->slots[i].prev = &wheel->slots[i];
}

static void mark_empty(struct wheel *wheel, int slot) {
    int level = slot >> SLOT_BITS;
    if ((wheel->occupied[level] &= ~(1ULL << (slot & (SLOTS - 1)))) == 0)
        wheel->occupied_levels &= ~(1U << level);
}

void wheel_add(struct wheel *wheel, struct timer *timer) {
    int slot;
    if (timer->deadline <= wheel->now) {
        // Every other timer of level 0 is ahead of the current tick, so its slot is free for what is due already.
        slot = wheel->now & (SLOTS - 1);
    } else {
        int level = (63 - __builtin_clzll(timer->deadline ^ wheel->now)) / SLOT_BITS;
        int digit = (timer->deadline >> (level * SLOT_BITS)) & (SLOTS - 1);
        slot = level * SLOTS + digit;
        wheel->occupied[level] |= 1ULL << digit;
        wheel->occupied_levels |= 1U << level;
    }
    struct link *head = &wheel->slots[slot];
    timer->slot = slot;
    timer->link = (struct link){.next = head, .prev = head->prev};
    head->prev->next = &timer->link;
    head->prev = &timer->link;
}

void wheel_remove(struct wheel *wheel, struct timer *timer) {
    struct link *next = timer->link.next, *prev = timer->link.prev;
    next->prev = prev;
    prev->next = next;
    if (next == prev) // only the head is left
        mark_empty(wheel, timer->slot);
    timer->slot = NO_SLOT;
}

// All timers of a level are ahead of the current tick within one slot of the level above, so the lowest level comes first.
static uint64_t next_slot(const struct wheel *wheel, int *slot) {
    int level = __builtin_ctz(wheel->occupied_levels);
    int digit = __builtin_ctzll(wheel->occupied[level]);
    int shift = level * SLOT_BITS;
    *slot = level * SLOTS + digit;
    return (wheel->now >> (shift + SLOT_BITS) << (shift + SLOT_BITS)) | (uint64_t)digit << shift;
}

uint64_t wheel_earliest(const struct wheel *wheel) {
    int slot;
    if (wheel->cascading != NO_SLOT || !is_empty(&wheel->slots[wheel->now & (SLOTS - 1)]))
        return wheel->now;
    return wheel->occupied_levels == 0 ? NEVER : next_slot(wheel, &slot);
}

int wheel_expire(struct wheel *wheel, uint64_t to, int budget, struct timer **due, bool *done) {
    int taken = 0;
    *done = false;
    while (budget > 0) {
        struct link *now = &wheel->slots[wheel->now & (SLOTS - 1)];
        if (wheel->cascading != NO_SLOT) {
            struct link *from = &wheel->slots[wheel->cascading];
            if (is_empty(from)) {
                wheel->cascading = NO_SLOT;
                continue;
            }
            struct timer *timer = (struct timer *)from->next;
            __builtin_prefetch(timer->link.next->next, 1);
            wheel_remove(wheel, timer);
            wheel_add(wheel, timer);
            budget--;
        } else if (wheel->now <= to && !is_empty(now)) {
            struct timer *timer = (struct timer *)now->next;
            __builtin_prefetch(timer->link.next->next, 1);
            wheel_remove(wheel, timer);
            due[taken++] = timer;
            budget--;
        } else {
            int slot = NO_SLOT;
            uint64_t next = wheel->occupied_levels == 0 ? NEVER : next_slot(wheel, &slot);
            if (next > to) {
                // No occupied slot begins on the way, so every timer keeps its place.
                wheel->now = wheel->now > to ? wheel->now : to;
                *done = true;
                break;
            }
            wheel->now = next;
            if (slot >= SLOTS)
                wheel->cascading = slot;
        }
    }
    return taken;
}
