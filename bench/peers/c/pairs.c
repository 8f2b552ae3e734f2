// schedule-cancel: what a timeout of 30 seconds costs that is cancelled at once, on two threads.
#include "measure.h"
#include "timers.h"
#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 2 };

struct job {
    int pending, pairs;
    pthread_barrier_t start, end;
};

static void must_not_run(struct timer *timer) {
    (void)timer;
    check(0, "a cancelled timer ran");
}

static void repeat(int pairs) {
    struct timer timer;
    int cancelled = 0;
    for (int i = 0; i < pairs; i++) {
        timer_schedule(&timer, must_not_run, 30 * 1000000000ULL);
        cancelled += timer_cancel(&timer);
    }
    check(cancelled == pairs, "a timer could not be cancelled");
}

static void *work(void *argument) {
    struct job *job = argument;
    // The others are spread over the threads that run, as they would be in a server.
    int others = job->pending / THREADS;
    struct timer *timers = calloc((size_t)others + 1, sizeof *timers);
    for (int i = 0; i < others; i++)
        timer_schedule(&timers[i], must_not_run, 3600 * 1000000000ULL);
    repeat(job->pairs / 5);
    pthread_barrier_wait(&job->start); // ready
    pthread_barrier_wait(&job->start); // go
    repeat(job->pairs);
    pthread_barrier_wait(&job->end);
    for (int i = 0; i < others; i++)
        check(timer_cancel(&timers[i]), "one of the others was lost");
    free(timers);
    return NULL;
}

struct result schedule_cancel(int pending, int pairs, struct scale scale) {
    struct job job = {.pending = pending, .pairs = pairs / scale.divisor};
    pthread_t threads[THREADS];
    pthread_barrier_init(&job.start, NULL, THREADS + 1);
    pthread_barrier_init(&job.end, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        check(pthread_create(&threads[i], NULL, work, &job) == 0, "no thread");

    pthread_barrier_wait(&job.start);
    int64_t heap = heap_bytes();
    uint64_t cpu = processor_ns(), wall = read_clock(CLOCK_MONOTONIC);
    pthread_barrier_wait(&job.start);
    pthread_barrier_wait(&job.end);
    wall = read_clock(CLOCK_MONOTONIC) - wall, cpu = processor_ns() - cpu, heap = heap_bytes() - heap;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);

    struct result result = NOTHING;
    result.ns = (double)wall / job.pairs;
    result.cpu_ns = (double)cpu / job.pairs / THREADS;
    result.bytes = (double)heap / job.pairs / THREADS;
    return result;
}
