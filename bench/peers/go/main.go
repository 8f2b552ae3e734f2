// Go's own timers: time.AfterFunc and Stop.
//
//	peer-go WORKLOAD full|quick
package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// How much to do.
type scale struct {
	divisor int           // of the number of operations and of the time they are spread over
	lead    time.Duration // between scheduling and the first firing
	idle    time.Duration // watched while nothing is due
}

func run(workload string, scale scale) result {
	switch workload {
	case "schedule-cancel":
		return scheduleCancel(0, 4_000_000, scale)
	case "schedule-cancel-1m":
		return scheduleCancel(1_000_000, 4_000_000, scale)
	case "firing":
		return firing(2_000_000, time.Second, false, scale)
	case "firing-20k":
		return firing(60_000, 3*time.Second, true, scale)
	case "pending-bytes":
		return pendingBytes(scale)
	case "idle":
		return idle(scale)
	}
	panic("no such workload")
}

func main() {
	check(len(os.Args) == 3, "usage: peer-go WORKLOAD full|quick")
	workload, chosen := os.Args[1], scale{1, 2 * time.Second, 2 * time.Second}
	if os.Args[2] == "quick" {
		chosen = scale{5, time.Second, time.Second}
	}
	if strings.HasPrefix(workload, "schedule") || strings.HasPrefix(workload, "firing") {
		run(workload, scale{10, 300 * time.Millisecond, 0})
	}
	fmt.Println(run(workload, chosen).line(workload, "Go"))
}
