package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"syscall"
	"time"
)

// Values that a workload has no use for are not a number.
type result struct {
	ns, cpuNs, bytes, early, lateP50, lateP99, lateP999, lateMax float64
}

func nothing() result {
	nan := math.NaN()
	return result{nan, nan, nan, nan, nan, nan, nan, nan}
}

func (r result) line(workload, name string) string {
	line := workload + " " + name
	for _, value := range []float64{r.ns, r.cpuNs, r.bytes, r.early, r.lateP50, r.lateP99, r.lateP999, r.lateMax} {
		if math.IsNaN(value) {
			line += " -"
		} else {
			line += fmt.Sprintf(" %.4f", value)
		}
	}
	return line
}

// What the process has used up to a moment.
type usage struct {
	wall      time.Time
	cpuNs     int64
	allocated uint64
}

func now() usage {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return usage{time.Now(), used.Utime.Nano() + used.Stime.Nano(), memory.TotalAlloc}
}

func check(isTrue bool, what string) {
	if !isTrue {
		fmt.Fprintln(os.Stderr, "Go:", what)
		os.Exit(1)
	}
}
