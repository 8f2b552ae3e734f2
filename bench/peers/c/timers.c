#include "timers.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_COLLECTIONS = 64, BATCH = 256 };

// The timers scheduled by one thread. Everything but the lock itself is guarded by the lock.
struct collection {
    atomic_int lock;
    uint64_t wake_tick; // the driver has promised to look again by this tick
    struct wheel wheel;
};

static clockid_t schedule_clock;
static uint64_t schedule_slack; // how far that clock may be behind the precise one
static struct collection *collections[MAX_COLLECTIONS];
static atomic_int collection_count;
static __thread struct collection *mine;

// The driver sleeps on these; `nearer_tick` is a wake-up asked for by a thread that scheduled.
static pthread_mutex_t driver_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t driver_wake;
static uint64_t nearer_tick = NEVER;

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void lock(struct collection *collection) {
    for (int spins = 0;; spins++) {
        int free = 0;
        if (atomic_compare_exchange_weak_explicit(&collection->lock, &free, 1, memory_order_acquire, memory_order_relaxed))
            return;
        if (spins < 100)
            pause_briefly();
        else
            sched_yield();
    }
}

static void unlock(struct collection *collection) { atomic_store_explicit(&collection->lock, 0, memory_order_release); }

static struct collection *create_collection(void) {
    struct collection *created = calloc(1, sizeof *created);
    created->wake_tick = NEVER;
    wheel_init(&created->wheel, read_clock(CLOCK_MONOTONIC) / RESOLUTION_NS);
    pthread_mutex_lock(&driver_mutex);
    int count = atomic_load(&collection_count);
    if (count == MAX_COLLECTIONS) {
        fputs("too many threads\n", stderr);
        exit(1);
    }
    collections[count] = created;
    atomic_store_explicit(&collection_count, count + 1, memory_order_release);
    pthread_mutex_unlock(&driver_mutex);
    return created;
}

void timer_schedule(struct timer *timer, void (*run)(struct timer *), uint64_t due_ns) {
    struct collection *collection = mine ? mine : (mine = create_collection());
    timer->run = run;
    timer->owner = collection;
    // Rounded up: early is a bug, late is a measurement.
    timer->deadline = (read_clock(schedule_clock) + schedule_slack + due_ns + RESOLUTION_NS - 1) / RESOLUTION_NS;

    uint64_t deadline = timer->deadline;
    lock(collection);
    wheel_add(&collection->wheel, timer);
    bool is_nearer = deadline < collection->wake_tick;
    if (is_nearer)
        collection->wake_tick = deadline;
    unlock(collection);

    if (is_nearer) {
        pthread_mutex_lock(&driver_mutex);
        if (deadline < nearer_tick)
            nearer_tick = deadline;
        pthread_cond_signal(&driver_wake);
        pthread_mutex_unlock(&driver_mutex);
    }
}

bool timer_cancel(struct timer *timer) {
    struct collection *collection = timer->owner;
    lock(collection);
    bool is_pending = timer->slot != NO_SLOT;
    if (is_pending)
        wheel_remove(&collection->wheel, timer);
    unlock(collection);
    return is_pending;
}

// Runs what is due in one collection, batch by batch, and returns the tick at which to look again.
static uint64_t fire(struct collection *collection) {
    struct timer *due[BATCH];
    for (;;) {
        bool done;
        uint64_t now = read_clock(CLOCK_MONOTONIC) / RESOLUTION_NS;
        lock(collection);
        int count = wheel_expire(&collection->wheel, now, BATCH, due, &done);
        uint64_t wake_tick = collection->wake_tick = wheel_earliest(&collection->wheel);
        unlock(collection);
        for (int i = 0; i < count; i++)
            due[i]->run(due[i]);
        if (done)
            return wake_tick;
    }
}

static void sleep_until(uint64_t tick) {
    pthread_mutex_lock(&driver_mutex);
    for (;;) {
        if (nearer_tick < tick)
            tick = nearer_tick;
        nearer_tick = NEVER;
        if (read_clock(CLOCK_MONOTONIC) / RESOLUTION_NS >= tick)
            break;
        if (tick == NEVER) {
            pthread_cond_wait(&driver_wake, &driver_mutex);
        } else {
            uint64_t ns = tick * RESOLUTION_NS;
            struct timespec until = {.tv_sec = (time_t)(ns / 1000000000ULL), .tv_nsec = (long)(ns % 1000000000ULL)};
            pthread_cond_timedwait(&driver_wake, &driver_mutex, &until);
        }
    }
    pthread_mutex_unlock(&driver_mutex);
}

static void *drive(void *unused) {
    for (;;) {
        uint64_t earliest = NEVER;
        int count = atomic_load_explicit(&collection_count, memory_order_acquire);
        for (int i = 0; i < count; i++) {
            uint64_t wake_tick = fire(collections[i]);
            earliest = wake_tick < earliest ? wake_tick : earliest;
        }
        sleep_until(earliest);
    }
    return unused;
}

void timers_start(clockid_t clock) {
    struct timespec step = {0};
    schedule_clock = clock;
    if (clock != CLOCK_MONOTONIC) {
        clock_getres(clock, &step);
        schedule_slack = (uint64_t)step.tv_nsec;
    }
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&driver_wake, &monotonic);
    pthread_t driver;
    if (pthread_create(&driver, NULL, drive, NULL) != 0) {
        fputs("no driver thread\n", stderr);
        exit(1);
    }
}
