// What every workload needs: how much to do, what was used, and the line that is printed.
#pragma once
#include <math.h>
#include <stdint.h>

struct scale {
    int divisor;      // of the number of operations and of the time they are spread over
    int lead_ms;      // between scheduling and the first firing
    int idle_seconds; // watched while nothing is due
};

// Values that a workload has no use for are NAN.
struct result {
    double ns, cpu_ns, bytes, early, late_p50, late_p99, late_p999, late_max;
};

#define NOTHING (struct result){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}

uint64_t processor_ns(void); // of the whole process, by getrusage
int64_t heap_bytes(void);   // held, by mallinfo2
void sleep_ms(int ms);
void check(int is_true, const char *what); // ends the process if not
void print_result(const char *workload, const char *name, struct result result);

struct result schedule_cancel(int pending, int pairs, struct scale scale);
struct result firing(int count, int spread_ms, int is_cpu_per_second, struct scale scale);
struct result pending_bytes(struct scale scale);
struct result idle(struct scale scale);
