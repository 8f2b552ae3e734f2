// pending-bytes and idle: what 1,000,000 timers hold, and what they cost while nothing is due.
#include "measure.h"
#include "timers.h"
#include <stdlib.h>

static void ignore(struct timer *timer) { (void)timer; }

static struct timer *schedule(int count) {
    struct timer *timers = calloc((size_t)count, sizeof *timers);
    for (int i = 0; i < count; i++)
        timer_schedule(&timers[i], ignore, 3600 * 1000000000ULL);
    return timers;
}

static void cancel(struct timer *timers, int count) {
    for (int i = 0; i < count; i++)
        check(timer_cancel(&timers[i]), "a pending timer was lost");
    free(timers);
}

struct result pending_bytes(struct scale scale) {
    int count = 1000000 / scale.divisor;
    cancel(schedule(1), 1); // this thread's wheel
    int64_t heap = heap_bytes();
    struct timer *timers = schedule(count);
    struct result result = NOTHING;
    result.bytes = (double)(heap_bytes() - heap) / count;
    cancel(timers, count);
    return result;
}

struct result idle(struct scale scale) {
    struct timer *timers = schedule(1000000);
    sleep_ms(1000);
    uint64_t cpu = processor_ns(), wall = read_clock(CLOCK_MONOTONIC);
    sleep_ms(scale.idle_seconds * 1000);
    cpu = processor_ns() - cpu, wall = read_clock(CLOCK_MONOTONIC) - wall;
    struct result result = NOTHING;
    result.cpu_ns = (double)cpu * 1e9 / (double)wall;
    cancel(timers, 1000000);
    return result;
}
