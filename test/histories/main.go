// Judges histories of calls for linearizability: `go run . [-timeout 5m] FILE…`. Each file has one call per line (call.go). Prints each
// violation with its history, and then the result as one line of JSON. Exits with 1 if there is a violation, with 3 if the time was too
// short.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// models has one model for each kind of part. Other kinds are counted and not judged.
var models = map[string]func([]*Call) porcupine.Model{
	"payment":      modelOf(payment{}, payment.step, asItIs),
	"link":         modelOf(newLink(), link.step, asItIs),
	"terminal":     modelOf(terminal{}, terminal.step, settleTerminal),
	"counter":      modelOf(counter{}, counter.step, settleCounter),
	"developer":    modelOf(developer{}, developer.step, asItIs),
	"subscription": modelOf(subscription{}, subscription.step, asItIs),
}

type report struct {
	Operations int            `json:"operations"`
	Open       int            `json:"open"`
	Judged     int            `json:"judged"`
	Parts      map[string]int `json:"parts"`
	Violations []string       `json:"violations"`
	Unknown    []string       `json:"unknown"`
	Seconds    float64        `json:"seconds"`
}

func main() {
	timeout := flag.Duration("timeout", 5*time.Minute, "for one file")
	flag.Parse()
	exit := 0
	for _, file := range flag.Args() {
		calls, err := read(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		found := judge(calls, *timeout)
		line, _ := json.Marshal(found)
		fmt.Println(string(line))
		switch {
		case len(found.Violations) > 0:
			exit = 1
		case len(found.Unknown) > 0 && exit == 0:
			exit = 3
		}
	}
	os.Exit(exit)
}

func read(file string) ([]*Call, error) {
	opened, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	var calls []*Call
	lines := bufio.NewScanner(opened)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		call := new(Call)
		if err := json.Unmarshal(lines.Bytes(), call); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, len(calls)+1, err)
		}
		calls = append(calls, call)
	}
	return calls, lines.Err()
}

func judge(calls []*Call, timeout time.Duration) report {
	begun := time.Now()
	found := report{Operations: len(calls), Parts: map[string]int{}}
	parts := map[string][]*Call{}
	for _, call := range calls {
		if call.isOpen() {
			found.Open++
		}
		if _, isJudged := models[call.Model]; isJudged {
			found.Judged++
			parts[call.Model+" "+call.Part] = append(parts[call.Model+" "+call.Part], call)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		kind, _, _ := strings.Cut(name, " ")
		part := relevant(parts[name])
		found.Parts[kind]++
		// A part that takes long must leave time for the others.
		left := min(timeout-time.Since(begun), timeout/5)
		result, info := porcupine.CheckOperationsVerbose(models[kind](part), answered(part), max(left, time.Millisecond))
		switch result {
		case porcupine.Illegal:
			found.Violations = append(found.Violations, name)
			show(name, part, info)
		case porcupine.Unknown:
			found.Unknown = append(found.Unknown, name)
		}
	}
	found.Seconds = time.Since(begun).Seconds()
	return found
}

// relevant returns the calls of a part in the order of their starts, without reads that got no answer.
func relevant(part []*Call) []*Call {
	slices.SortStableFunc(part, func(a, b *Call) int { return cmp.Compare(a.Start, b.Start) })
	return slices.DeleteFunc(part, func(call *Call) bool {
		return call.isOpen() && (call.Op == "read" || call.Op == "next" || call.Op == "periods")
	})
}

// answered are the calls whose order is searched.
func answered(part []*Call) []porcupine.Operation {
	var history []porcupine.Operation
	for _, call := range part {
		if !call.isOpen() {
			history = append(history, porcupine.Operation{ClientId: call.Client, Input: call, Call: call.Start, Return: call.returned()})
		}
	}
	return history
}

// show prints a part. It marks answered calls that are not in the longest order that the checker found.
func show(name string, part []*Call, info porcupine.LinearizationInfo) {
	fitting := map[*Call]bool{}
	for _, orders := range info.PartialLinearizationsOperations() {
		longest := slices.MaxFunc(append(orders, nil), func(a, b []porcupine.Operation) int { return len(a) - len(b) })
		for _, operation := range longest {
			fitting[operation.Input.(*Call)] = true
		}
	}
	fmt.Printf("VIOLATION: %s (no order of these calls explains the answers; ms, x: not in the longest order that does)\n", name)
	for _, call := range part {
		end, mark := "open", "x"
		if !call.isOpen() {
			end = fmt.Sprintf("%.1f", float64(*call.End-part[0].Start)/1000)
		}
		if call.isOpen() || fitting[call] {
			mark = " "
		}
		in, _ := json.Marshal(call.In)
		out, _ := json.Marshal(call.Out)
		fmt.Printf("  %s %8.1f – %8s  client %-3d %s %s → %s %s\n", mark, float64(call.Start-part[0].Start)/1000, end, call.Client, call.Op, in, call.Answer, out)
	}
}
