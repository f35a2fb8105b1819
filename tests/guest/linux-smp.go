// SPDX-License-Identifier: GPL-3.0-or-later

// Work of a Go program for linux-smp.sh: goroutines that hand each other numbers; one computes, allocates, and leaves much to
// be collected. The run-time system has threads of its own, and sends signals to them. usage: linux-smp TIMES
package main

import (
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"sync"
)

const workers = 1

func numbers(seed uint64, n int) []uint64 {
	list := make([]uint64, n)
	for i := range list {
		seed = seed*6364136223846793005 + 1442695040888963407
		list[i] = seed >> 33
	}
	return list
}

func once(round int, to chan<- uint64) {
	words := make(map[uint64]string)
	list := numbers(uint64(round), 1000)
	sort.Slice(list, func(i, j int) bool { return list[i] < list[j] })
	for _, n := range list {
		words[n] = strconv.FormatUint(n, 36)
	}
	sum := uint64(len(words))
	for _, n := range list {
		sum = sum*31 + uint64(len(words[n]))*n
	}
	to <- sum
}

func main() {
	times, err := 0, error(nil)
	if len(os.Args) == 2 {
		times, err = strconv.Atoi(os.Args[1])
	}
	if len(os.Args) != 2 || err != nil {
		fmt.Fprintln(os.Stderr, "usage: linux-smp TIMES")
		os.Exit(2)
	}
	runtime.GOMAXPROCS(1) // a second program finds a CPU free
	rounds, sums := make(chan int), make(chan uint64)
	var all sync.WaitGroup
	for w := 0; w < workers; w++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for round := range rounds {
				once(round, sums)
			}
		}()
	}
	go func() {
		for round := 0; round < times; round++ {
			rounds <- round
		}
		close(rounds)
		all.Wait()
		close(sums)
	}()
	total := uint64(0)
	for sum := range sums {
		total += sum
	}
	fmt.Println("linux-smp:", total)
}
