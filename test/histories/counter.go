package main

import (
	"maps"
	"slices"
	"strings"
)

// counter is something that can be taken a limited number of times: the payments of a payment link, the units of a product, the requests
// of a key within a minute.
type counter struct {
	Left int64
	// Attempts holds for each attempt to take one whether it has it ("taken") or gave it back ("back").
	Attempts map[string]string
}

func (s counter) with(id, state string, left int64) counter {
	next := counter{Left: left, Attempts: maps.Clone(s.Attempts)}
	if next.Attempts == nil {
		next.Attempts = map[string]string{}
	}
	next.Attempts[id] = state
	return next
}

// step: an attempt that is declined takes one as it begins ("take") and gives it back as it ends ("giveBack").
func (s counter) step(c *Call) []counter {
	id, state := c.In.Id, s.Attempts[c.In.Id]
	switch c.Op {
	case "made":
		return []counter{{Left: c.In.Amount}}
	case "take":
		return s.take(c)
	case "giveBack":
		switch {
		case state == "taken" && c.isOpen():
			return []counter{s, s.with(id, "back", s.Left+1)}
		case state == "taken":
			return []counter{s.with(id, "back", s.Left+1)}
		}
		return when(c.isOpen() || state == "back", s)
	case "change":
		return s.change(c)
	case "spend":
		return s.spend(c)
	case "move":
		left := s.Left + c.In.Amount
		return when(left >= 0, counter{Left: left, Attempts: s.Attempts})
	case "read":
		return when(c.Answer == "200" && c.Out.Amount == s.Left, s)
	}
	return nil
}

func (s counter) take(c *Call) []counter {
	id, state := c.In.Id, s.Attempts[c.In.Id]
	switch {
	case c.Answer == "409 CHARGE_IN_PROGRESS", c.Answer == "429 TOO_MANY_ATTEMPTS", c.Answer == "402 CARD_DECLINED":
		return []counter{s}
	case c.Answer == "409 PAYMENT_LINK_SOLD_OUT":
		return when(s.Left == 0, s)
	case c.isOpen() && state == "" && s.Left > 0:
		return []counter{s, s.with(id, "taken", s.Left-1)}
	case c.isOpen():
		return []counter{s}
	case c.Answer == "201" && state == "", c.Answer == "402 CHARGE_DECLINED" && state == "":
		return when(s.Left > 0, s.with(id, "taken", s.Left-1))
	case c.Answer == "201":
		return when(state == "taken", s)
	case c.Answer == "402 CHARGE_DECLINED":
		return []counter{s}
	}
	return nil
}

// spend takes one without an id, because no later call asks about it.
func (s counter) spend(c *Call) []counter {
	spent := counter{Left: s.Left - 1, Attempts: s.Attempts}
	switch {
	case c.isOpen():
		return append([]counter{s}, when(s.Left > 0, spent)...)
	case c.Answer == "200":
		return when(s.Left > 0, spent)
	case c.Answer == "429 RATE_LIMIT_EXCEEDED":
		return when(s.Left == 0, s)
	}
	return nil
}

func (s counter) change(c *Call) []counter {
	id, left := c.In.Id, s.Left+c.In.Amount
	isDone := s.Attempts[id] == "changed"
	switch {
	case c.isOpen() && !isDone && left >= 0:
		return []counter{s, s.with(id, "changed", left)}
	case c.isOpen():
		return []counter{s}
	case c.Answer == "201" && isDone:
		return when(c.Out.Amount == s.Left, s)
	case c.Answer == "201":
		return when(left >= 0 && c.Out.Amount == left, s.with(id, "changed", left))
	case c.Answer == "409 STOCK_INSUFFICIENT":
		return when(!isDone && left < 0, s)
	}
	return nil
}

// settleCounter forgets an attempt that no later call is about. It keeps only how the attempt may still change the number. That is the
// same for many attempts, so only their number matters.
func settleCounter(part []*Call, known kinds) settle[counter] {
	last, made := lastOf(part), int64(0)
	for _, call := range part {
		if call.Op == "made" {
			made = max(made, call.returned())
		}
	}
	return func(w world[counter], now int64) world[counter] {
		calls, attempts, open := map[string][]*Call{}, map[string]string{}, []*Call(nil)
		for id := range w.State.Attempts {
			calls[id] = nil
		}
		for _, call := range w.Open {
			calls[call.In.Id] = append(calls[call.In.Id], call)
		}
		for id, its := range calls {
			state, isNamed := w.State.Attempts[id]
			moves, isKnown := movesOf(state, its)
			switch {
			case isKnown && now > max(last[id], made):
				its = known.sorted(moves...)
			case isNamed:
				attempts[id] = state
			}
			open = append(open, its...)
		}
		return world[counter]{counter{w.State.Left, attempts}, inOrder(open, nil)}
	}
}

// movesOf returns how calls without an end may still change the number for an attempt. However often it was sent, the attempt takes one
// once, and then gives it back once.
func movesOf(state string, open []*Call) (moves []*Call, isKnown bool) {
	var ops []string
	for _, call := range open {
		ops = append(ops, call.Op)
	}
	slices.Sort(ops)
	switch state + ":" + strings.Join(slices.Compact(ops), ",") {
	case ":take":
		return []*Call{move(-1)}, true
	case ":giveBack,take":
		return []*Call{move(-1, move(1))}, true
	case "taken:giveBack", "taken:giveBack,take":
		return []*Call{move(1)}, true
	case ":change":
		return []*Call{move(open[0].In.Amount)}, open[0].kind == open[len(open)-1].kind
	case ":", ":giveBack", "taken:", "taken:take", "back:", "back:take", "back:giveBack", "back:giveBack,take", "changed:", "changed:change":
		return nil, true
	}
	return nil, false
}

func move(amount int64, then ...*Call) *Call {
	call := &Call{Op: "move", then: then}
	call.In.Amount = amount
	return call
}
