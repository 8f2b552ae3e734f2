// Timers of one process: a wheel and a lock for each thread that schedules, and one thread that sleeps to the next due tick
// and runs the callbacks itself.
#pragma once
#include "wheel.h"
#include <time.h>

#define RESOLUTION_NS 10000000ULL

// `clock` is read once for each timer scheduled: CLOCK_MONOTONIC or CLOCK_MONOTONIC_COARSE. The driver reads the precise one.
void timers_start(clockid_t clock);

// Runs `run` on the driver, with no lock held, at least `due_ns` from now. The caller keeps the timer until it has run or is cancelled.
void timer_schedule(struct timer *timer, void (*run)(struct timer *), uint64_t due_ns);

// From any thread. True if the timer will not run.
bool timer_cancel(struct timer *timer);

static inline uint64_t read_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec;
}
