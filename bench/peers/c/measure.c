#include "measure.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

uint64_t processor_ns(void) {
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000ULL
        + (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000ULL;
}

int64_t heap_bytes(void) {
    struct mallinfo2 heap = mallinfo2();
    return (int64_t)(heap.uordblks + heap.hblkhd);
}

void sleep_ms(int ms) {
    struct timespec duration = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    clock_nanosleep(CLOCK_MONOTONIC, 0, &duration, NULL);
}

void check(int is_true, const char *what) {
    if (!is_true) {
        fprintf(stderr, "C wheel: %s\n", what);
        exit(1);
    }
}

static void print_value(double value) {
    if (isnan(value))
        printf(" -");
    else
        printf(" %.4f", value);
}

void print_result(const char *workload, const char *name, struct result result) {
    printf("%s %s", workload, name);
    print_value(result.ns);
    print_value(result.cpu_ns);
    print_value(result.bytes);
    print_value(result.early);
    print_value(result.late_p50);
    print_value(result.late_p99);
    print_value(result.late_p999);
    print_value(result.late_max);
    printf("\n");
}
