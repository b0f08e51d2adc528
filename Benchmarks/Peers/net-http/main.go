// Go's net/http as a peer of anvil-transport-bench: see Peers/README.md.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

type load struct {
	url      string
	bytes    int64
	discards bool
	client   *http.Client
}

func (load *load) perform() error {
	request, err := http.NewRequest("GET", load.url, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "*/*")
	request.Header.Set("Accept-Encoding", "identity")
	request.Header.Set("User-Agent", "anvil-transport-bench")
	response, err := load.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var count int64
	if load.discards {
		count, err = io.Copy(io.Discard, response.Body)
	} else {
		body := make([]byte, response.ContentLength)
		var read int
		read, err = io.ReadFull(response.Body, body)
		count = int64(read)
		if err == nil {
			// To the end, so that the connection is used again.
			_, err = io.Copy(io.Discard, response.Body)
		}
	}
	if err == nil && (response.StatusCode != 200 || count != load.bytes) {
		err = fmt.Errorf("status %d, %d bytes", response.StatusCode, count)
	}
	return err
}

func processorSeconds() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e9
}

func peakKilobytes() int {
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "VmHWM:" {
			peak, _ := strconv.Atoi(fields[1])
			return peak
		}
	}
	return 0
}

func (load *load) round(concurrency int, seconds float64) {
	processor, start := processorSeconds(), time.Now()
	end := start.Add(time.Duration(seconds * float64(time.Second)))
	latencies := make([][]time.Duration, concurrency)
	var group sync.WaitGroup
	for index := range latencies {
		group.Add(1)
		go func(own *[]time.Duration) {
			defer group.Done()
			for now := time.Now(); ; {
				if err := load.perform(); err != nil {
					log.Fatal(err)
				}
				next := time.Now()
				*own = append(*own, next.Sub(now))
				if now = next; !now.Before(end) {
					return
				}
			}
		}(&latencies[index])
	}
	group.Wait()
	elapsed := time.Since(start).Seconds()
	processor = processorSeconds() - processor
	var all []time.Duration
	for _, own := range latencies {
		all = append(all, own...)
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	microseconds := func(index int) float64 { return float64(all[index].Nanoseconds()) / 1e3 }
	fmt.Println(len(all), elapsed, processor, microseconds(len(all)/2), microseconds(len(all)*99/100), peakKilobytes())
}

func main() {
	if len(os.Args) != 7 {
		log.Fatal("usage: net-http URL 1|2 CONCURRENCY BYTES collect|discard CA")
	}
	concurrency, err := strconv.Atoi(os.Args[3])
	if err != nil || concurrency < 1 {
		log.Fatal("CONCURRENCY: ", os.Args[3])
	}
	bytes, err := strconv.ParseInt(os.Args[4], 10, 64)
	if err != nil {
		log.Fatal(err)
	}
	authorities, err := os.ReadFile(os.Args[6])
	if err != nil {
		log.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authorities)
	transport := &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: pool},
		MaxIdleConnsPerHost: concurrency,
		DisableCompression:  true,
		ForceAttemptHTTP2:   os.Args[2] == "2",
	}
	load := &load{os.Args[1], bytes, os.Args[5] == "discard", &http.Client{Transport: transport}}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		seconds, err := strconv.ParseFloat(lines.Text(), 64)
		if err != nil {
			log.Fatal(err)
		}
		load.round(concurrency, seconds)
	}
}
