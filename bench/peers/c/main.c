// The C wheel: the limit of the design, with timers that their users own and callbacks that run on the driver.
//   peer-c precise|coarse WORKLOAD full|quick
#include "measure.h"
#include "timers.h"
#include <stdio.h>
#include <string.h>

static struct result run(const char *workload, struct scale scale) {
    if (strcmp(workload, "schedule-cancel") == 0)
        return schedule_cancel(0, 4000000, scale);
    if (strcmp(workload, "schedule-cancel-1m") == 0)
        return schedule_cancel(1000000, 4000000, scale);
    if (strcmp(workload, "firing") == 0)
        return firing(2000000, 1000, 0, scale);
    if (strcmp(workload, "firing-20k") == 0)
        return firing(60000, 3000, 1, scale);
    if (strcmp(workload, "pending-bytes") == 0)
        return pending_bytes(scale);
    check(strcmp(workload, "idle") == 0, "no such workload");
    return idle(scale);
}

int main(int count, char **arguments) {
    check(count == 4, "usage: peer-c precise|coarse WORKLOAD full|quick");
    int is_coarse = strcmp(arguments[1], "coarse") == 0, is_quick = strcmp(arguments[3], "quick") == 0;
    timers_start(is_coarse ? CLOCK_MONOTONIC_COARSE : CLOCK_MONOTONIC);
    struct scale warm_up = {.divisor = 10, .lead_ms = 300}, quick = {5, 1000, 1}, full = {1, 2000, 2};
    const char *workload = arguments[2];
    if (strncmp(workload, "schedule", 8) == 0 || strncmp(workload, "firing", 6) == 0)
        run(workload, warm_up);
    struct result result = run(workload, is_quick ? quick : full);
    print_result(workload, is_coarse ? "C-wheel-coarse" : "C-wheel", result);
    return 0;
}
