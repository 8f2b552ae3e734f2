package main

import (
	"runtime"
	"time"
)

func schedule(timers []*time.Timer) {
	for i := range timers {
		timers[i] = time.AfterFunc(time.Hour, mustNotRun)
	}
}

func cancel(timers []*time.Timer) {
	for _, timer := range timers {
		check(timer.Stop(), "a pending timer was lost")
	}
}

func heapBytes() uint64 {
	var memory runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&memory)
	return memory.HeapAlloc
}

// What 1,000,000 pending timers hold, without the list of them that is kept here.
func pendingBytes(scale scale) result {
	timers := make([]*time.Timer, 1_000_000/scale.divisor)
	before := heapBytes()
	schedule(timers)
	measured := nothing()
	measured.bytes = float64(heapBytes()-before) / float64(len(timers))
	cancel(timers)
	return measured
}

// What 1,000,000 pending timers cost while nothing is due, in nanoseconds of processor time a second.
func idle(scale scale) result {
	timers := make([]*time.Timer, 1_000_000)
	schedule(timers)
	runtime.GC()
	time.Sleep(time.Second)
	before := now()
	time.Sleep(scale.idle)
	after := now()
	measured := nothing()
	measured.cpuNs = float64(after.cpuNs-before.cpuNs) / after.wall.Sub(before.wall).Seconds()
	cancel(timers)
	return measured
}
