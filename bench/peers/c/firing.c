// firing: what it costs to schedule and fire a timer, and when they fire. All are scheduled before the first is due.
#include "measure.h"
#include "timers.h"
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shot {
    struct timer timer;
    uint64_t due_at, fired_at;
};
_Static_assert(sizeof(struct shot) == 64, "a cache line");

static atomic_int left;
static sem_t all_fired;

static void fire(struct timer *timer) {
    struct shot *shot = (struct shot *)timer;
    check(shot->fired_at == 0, "a timer fired twice");
    shot->fired_at = read_clock(CLOCK_MONOTONIC);
    if (atomic_fetch_sub_explicit(&left, 1, memory_order_acq_rel) == 1)
        sem_post(&all_fired);
}

// A linear congruential generator, the same in every program here.
static uint32_t next_random(uint64_t *state, uint32_t below) {
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)((*state >> 33) % below);
}

static int compare(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

struct result firing(int count, int spread_ms, int is_cpu_per_second, struct scale scale) {
    uint64_t random = 1;
    count /= scale.divisor;
    spread_ms /= scale.divisor;
    sem_init(&all_fired, 0, 0);
    atomic_store(&left, count);

    int64_t heap = heap_bytes();
    uint64_t cpu = processor_ns();
    struct shot *shots = aligned_alloc(sizeof *shots, (size_t)count * sizeof *shots); // a cache line each
    memset(shots, 0, (size_t)count * sizeof *shots);
    uint64_t start = read_clock(CLOCK_MONOTONIC), first = start + (uint64_t)scale.lead_ms * 1000000;
    for (int i = 0; i < count; i++) {
        // Due times are whole milliseconds from now, because that is all that some timers take.
        uint64_t now = read_clock(CLOCK_MONOTONIC);
        uint64_t at = first + next_random(&random, (uint32_t)spread_ms) * 1000000ULL;
        uint64_t due = at > now ? (at - now + 999999) / 1000000 * 1000000 : 0;
        shots[i].due_at = now + due;
        timer_schedule(&shots[i].timer, fire, due);
    }
    uint64_t now = read_clock(CLOCK_MONOTONIC);
    if (now > first)
        fputs("C wheel: scheduling took longer than the lead\n", stderr);
    if (is_cpu_per_second) {
        // Firing alone: from just before the first is due.
        if (now < first)
            sleep_ms((int)((first - now) / 1000000));
        cpu = processor_ns();
    }
    while (sem_wait(&all_fired) != 0) {
    }
    cpu = processor_ns() - cpu, heap = heap_bytes() - heap;

    int early = 0;
    int64_t *late = malloc((size_t)count * sizeof *late);
    for (int i = 0; i < count; i++) {
        check(shots[i].fired_at != 0, "a timer did not fire");
        late[i] = (int64_t)(shots[i].fired_at - shots[i].due_at);
        early += late[i] < 0;
    }
    qsort(late, (size_t)count, sizeof *late, compare);

    struct result result = NOTHING;
    result.cpu_ns = is_cpu_per_second ? (double)cpu * 1000 / spread_ms : (double)cpu / count;
    // What records the firing is the program's own, as in the others.
    result.bytes = (double)heap / count - (sizeof(struct shot) - sizeof(struct timer));
    result.early = early;
    result.late_p50 = (double)late[count / 2] / 1e6;
    result.late_p99 = (double)late[(int64_t)count * 99 / 100] / 1e6;
    result.late_p999 = (double)late[(int64_t)count * 999 / 1000] / 1e6;
    result.late_max = (double)late[count - 1] / 1e6;
    free(late);
    free(shots);
    return result;
}
