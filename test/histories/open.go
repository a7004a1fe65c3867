package main

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/anishathalye/porcupine"
)

// world is a state, with the begun calls without an end that may still take effect in it.
type world[S any] struct {
	State S
	// Open is in the order of kinds.
	Open []*Call
}

// worlds are all possible states of a part after some of its answered calls.
type worlds[S any] struct {
	*rules[S]
	// all leaves out a world that another one covers: one with the same state and all its calls can become the same, because no call has to
	// take effect.
	all     []world[S]
	byState map[string][]world[S]
	// now is the first end among the answered calls to come. The calls in open begin after it.
	now  int64
	ends []int64
	open []*Call
}

type rules[S any] struct {
	step   func(S, *Call) []S
	settle settle[S]
}

// settle forgets what no later call asks about. Each later call ends now or later, or begins later.
type settle[S any] func(w world[S], now int64) world[S]

func asItIs[S any]([]*Call, kinds) settle[S] {
	return func(w world[S], _ int64) world[S] { return w }
}

// modelOf lets porcupine search the order of the answered calls only. A call without an end joins each world once all answered calls that
// ended before its begin are over. It takes effect right before an answered call or never, because only an answer can show its effect. So
// each order of all calls is still tried, and of equal calls only the number matters.
func modelOf[S any](first S, step func(S, *Call) []S, settle func([]*Call, kinds) settle[S]) func([]*Call) porcupine.Model {
	return func(part []*Call) porcupine.Model {
		known, ends := kinds{}, []int64(nil)
		var open []*Call
		for _, call := range part {
			if call.isOpen() {
				open = append(open, known.sorted(call)...)
			} else {
				ends = append(ends, *call.End)
			}
		}
		slices.Sort(ends)
		begin := &rules[S]{step, settle(part, known)}
		return porcupine.Model{
			Init: func() any { return begin.worlds([]world[S]{{State: first}}, ends, open) },
			Step: func(state, input, _ any) (bool, any) {
				next := state.(*worlds[S]).after(input.(*Call))
				return len(next.all) > 0, next
			},
			Equal: func(state, other any) bool {
				one, two := state.(*worlds[S]), other.(*worlds[S])
				return one.covers(two) && two.covers(one)
			},
		}
	}
}

// worlds adds the calls without an end that begin before the next answered call has ended.
func (r *rules[S]) worlds(all []world[S], ends []int64, open []*Call) *worlds[S] {
	now, begun := int64(math.MaxInt64), 0
	if len(ends) > 0 {
		now = ends[0]
	}
	for begun < len(open) && open[begun].Start <= now {
		begun++
	}
	for at, one := range all {
		all[at] = r.settle(world[S]{one.State, inOrder(one.Open, open[:begun])}, now)
	}
	// A world comes before the worlds that it covers.
	slices.SortStableFunc(all, func(a, b world[S]) int { return len(b.Open) - len(a.Open) })
	next := &worlds[S]{r, nil, map[string][]world[S]{}, now, ends, open[begun:]}
	next.add(all...)
	return next
}

func (w *worlds[S]) after(c *Call) *worlds[S] {
	var next []world[S]
	for _, one := range w.reachable() {
		for _, state := range w.step(one.State, c) {
			next = append(next, world[S]{state, one.Open})
		}
	}
	at, _ := slices.BinarySearch(w.ends, *c.End)
	return w.rules.worlds(next, slices.Delete(slices.Clone(w.ends), at, at+1), w.open)
}

// reachable returns all that the worlds may have become by calls without an end.
func (w *worlds[S]) reachable() []world[S] {
	reached := &worlds[S]{byState: map[string][]world[S]{}}
	reached.add(w.all...)
	for n := 0; n < len(reached.all); n++ {
		one := reached.all[n]
		for at, call := range one.Open {
			if at > 0 && call.kind == one.Open[at-1].kind {
				continue
			}
			rest := inOrder(slices.Delete(slices.Clone(one.Open), at, at+1), call.then)
			for _, state := range w.step(one.State, call) {
				reached.add(w.settle(world[S]{state, rest}, w.now))
			}
		}
	}
	return reached.all
}

func (w *worlds[S]) add(all ...world[S]) {
	for _, one := range all {
		if state := stateOf(one); !w.covered(state, one) {
			w.all = append(w.all, one)
			w.byState[state] = append(w.byState[state], one)
		}
	}
}

func (w *worlds[S]) covers(others *worlds[S]) bool {
	return !slices.ContainsFunc(others.all, func(one world[S]) bool { return !w.covered(stateOf(one), one) })
}

func (w *worlds[S]) covered(state string, one world[S]) bool {
	return slices.ContainsFunc(w.byState[state], func(other world[S]) bool { return isWithin(one.Open, other.Open) })
}

func stateOf[S any](one world[S]) string {
	state, _ := json.Marshal(one.State)
	return string(state)
}

// isWithin: the others have at least as many calls of each kind.
func isWithin(calls, others []*Call) bool {
	at := 0
	for _, other := range others {
		if at < len(calls) && calls[at].kind == other.kind {
			at++
		}
	}
	return at == len(calls)
}

func inOrder(calls, more []*Call) []*Call {
	all := slices.Concat(calls, more)
	slices.SortFunc(all, func(a, b *Call) int { return a.kind - b.kind })
	return all
}

// kinds has one number for calls that ask for the same: without an end, no answer distinguishes them.
type kinds map[any]int

func (k kinds) sorted(calls ...*Call) []*Call {
	for _, call := range calls {
		what := [3]any{call.Op, call.In, len(k.sorted(call.then...))}
		if _, isKnown := k[what]; !isKnown {
			k[what] = len(k)
		}
		call.kind = k[what]
	}
	return calls
}

// lastOf returns for each id when the last call that names it is over, or has begun if it has no end.
func lastOf(part []*Call) map[string]int64 {
	last := map[string]int64{}
	for _, call := range part {
		until := call.Start
		if !call.isOpen() {
			until = *call.End
		}
		for _, id := range []string{call.In.Id, call.Out.Id} {
			last[id] = max(last[id], until)
		}
	}
	return last
}
