package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"sync/atomic"
	"time"
)

type shot struct {
	dueAt, firedAt time.Duration // since the round began, by the monotonic clock
}

// A linear congruential generator, the same in every program here.
type generator uint64

func (g *generator) next(below uint32) uint32 {
	*g = *g*6364136223846793005 + 1442695040888963407
	return uint32(*g>>33) % below
}

// What it costs to schedule and fire a timer, and when they fire. All are scheduled before the first is due.
func firing(count int, spread time.Duration, isCpuPerSecond bool, scale scale) result {
	count /= scale.divisor
	spread /= time.Duration(scale.divisor)
	random := generator(1)
	shots := make([]shot, count)
	left := int64(count)
	allFired := make(chan bool, 1)
	runtime.GC()

	before := now()
	begin := before.wall
	first := time.Since(begin) + scale.lead
	for i := range shots {
		// Due times are whole milliseconds from now, because that is all that some timers take.
		at := first + time.Duration(random.next(uint32(spread/time.Millisecond)))*time.Millisecond
		started := time.Since(begin)
		due := (at - started + time.Millisecond - 1).Truncate(time.Millisecond)
		if due < 0 {
			due = 0
		}
		shot := &shots[i]
		shot.dueAt = started + due
		time.AfterFunc(due, func() {
			check(shot.firedAt == 0, "a timer fired twice")
			shot.firedAt = time.Since(begin)
			if atomic.AddInt64(&left, -1) == 0 {
				allFired <- true
			}
		})
	}
	if time.Since(begin) > first {
		fmt.Fprintln(os.Stderr, "Go: scheduling took longer than the lead")
	}
	if isCpuPerSecond {
		// Firing alone: from just before the first is due.
		time.Sleep(first - time.Since(begin))
		before.cpuNs = now().cpuNs
	}
	<-allFired
	after := now()

	late := make([]float64, count)
	early := 0
	for i, shot := range shots {
		check(shot.firedAt != 0, "a timer did not fire")
		late[i] = float64(shot.firedAt-shot.dueAt) / 1e6
		if late[i] < 0 {
			early++
		}
	}
	sort.Float64s(late)
	measured := nothing()
	measured.cpuNs = float64(after.cpuNs-before.cpuNs) / float64(count)
	if isCpuPerSecond {
		measured.cpuNs = float64(after.cpuNs-before.cpuNs) / spread.Seconds()
	}
	measured.bytes = float64(after.allocated-before.allocated) / float64(count)
	measured.early = float64(early)
	measured.lateP50 = late[count/2]
	measured.lateP99 = late[count*99/100]
	measured.lateP999 = late[count*999/1000]
	measured.lateMax = late[count-1]
	return measured
}
