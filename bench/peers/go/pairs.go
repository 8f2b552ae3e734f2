package main

import (
	"sync"
	"time"
)

const threads = 2

func mustNotRun() { check(false, "a cancelled timer ran") }

func repeat(pairs int) {
	for i := 0; i < pairs; i++ {
		check(time.AfterFunc(30*time.Second, mustNotRun).Stop(), "a timer could not be cancelled")
	}
}

// What a timeout of 30 seconds costs that is cancelled at once, on two threads.
func scheduleCancel(pending, pairs int, scale scale) result {
	pairs /= scale.divisor
	start := make(chan bool)
	var ready, done, ended sync.WaitGroup
	ready.Add(threads)
	done.Add(threads)
	ended.Add(threads)
	for t := 0; t < threads; t++ {
		go func() {
			// The others are spread over the threads that run, as they would be in a server.
			others := make([]*time.Timer, pending/threads)
			for i := range others {
				others[i] = time.AfterFunc(time.Hour, mustNotRun)
			}
			repeat(pairs / 5)
			ready.Done()
			<-start
			repeat(pairs)
			done.Done()
			for _, other := range others {
				check(other.Stop(), "one of the others was lost")
			}
			ended.Done()
		}()
	}
	ready.Wait()
	before := now()
	close(start)
	done.Wait()
	after := now()
	ended.Wait()

	measured := nothing()
	measured.ns = float64(after.wall.Sub(before.wall)) / float64(pairs)
	measured.cpuNs = float64(after.cpuNs-before.cpuNs) / float64(pairs) / threads
	measured.bytes = float64(after.allocated-before.allocated) / float64(pairs) / threads
	return measured
}
