package main

import (
	"maps"
	"slices"
)

// terminal is one terminal and the payment intents created for it, by externalId.
type terminal struct {
	// Intents: PENDING, CHARGING (a card is being charged, and PENDING is shown), SUPERSEDED (charging, and another
	// intent has been created since), LAPSED (charging, and its time is over), CONFIRMED, CANCELLED, or EXPIRED (PENDING or
	// CANCELLED is shown).
	Intents map[string]string
}

func (t terminal) with(id, status string) terminal {
	next := terminal{Intents: maps.Clone(t.Intents)}
	if next.Intents == nil {
		next.Intents = map[string]string{}
	}
	next.Intents[id] = status
	return next
}

// of returns the intent with this status; there is at most one.
func (t terminal) of(status string) string {
	for id, its := range t.Intents {
		if its == status {
			return id
		}
	}
	return ""
}

func (t terminal) isCharged(id string) bool {
	status := t.Intents[id]
	return status == "CHARGING" || status == "SUPERSEDED" || status == "LAPSED"
}

func (t terminal) isCharging() bool {
	for id := range t.Intents {
		if t.isCharged(id) {
			return true
		}
	}
	return false
}

// step: a tap that reaches the bank is two calls, "tap" as its charge begins and "outcome" as it ends.
func (t terminal) step(c *Call) []terminal {
	id, status := c.In.Id, t.Intents[c.In.Id]
	isOver := status == "CONFIRMED" || status == "CANCELLED"
	isCharged := t.isCharged(id)
	switch c.Op + " " + c.Answer {
	case "create 201":
		return t.create(c)
	case "next 200":
		return when(t.Intents[c.Out.Id] == "PENDING" && !t.isCharging(), t)
	case "next 204":
		return when(t.of("PENDING") == "" || t.isCharging(), t)
	case "read 200":
		return when(shown(status, c.Out.Status), t)
	case "tap 201", "tap 402 CHARGE_DECLINED":
		return when(status == "PENDING" && !t.isCharging(), t.with(id, "CHARGING"))
	case "outcome 201":
		return when(isCharged, t.with(id, "CONFIRMED"))
	case "outcome 402 CHARGE_DECLINED":
		return t.declined(id)
	case "tap 409 INTENT_NOT_PENDING":
		return when(isOver || status == "EXPIRED", t)
	case "tap 409 INTENT_EXPIRED":
		return when(status == "EXPIRED", t)
	case "tap 409 INTENT_IN_PROGRESS":
		return when(t.isCharging(), t)
	case "tap 429 TOO_MANY_ATTEMPTS":
		return []terminal{t}
	case "cancel 200", "decline 200":
		return when(status != "CONFIRMED" && !isCharged, t.with(id, "CANCELLED"))
	case "cancel 409 INTENT_NOT_PENDING", "decline 409 INTENT_NOT_PENDING":
		return when(status == "CONFIRMED", t)
	case "cancel 409 INTENT_IN_PROGRESS", "decline 409 INTENT_IN_PROGRESS":
		return when(isCharged, t)
	case "clock 200":
		past := t
		if open := t.of("PENDING"); open != "" {
			past = past.with(open, "EXPIRED")
		}
		if charged := t.of("CHARGING"); charged != "" {
			past = past.with(charged, "LAPSED")
		}
		return []terminal{past}
	}
	if !c.isOpen() {
		return nil
	}
	return append([]terminal{t}, t.unknown(c)...)
}

// unknown returns what a request without an end may have done.
func (t terminal) unknown(c *Call) []terminal {
	id, status := c.In.Id, t.Intents[c.In.Id]
	switch c.Op {
	case "create":
		return when(status == "", t.created(id))
	case "tap":
		return when(status == "PENDING" && !t.isCharging(), t.with(id, "CHARGING"))
	case "outcome":
		return append(when(t.isCharged(id), t.with(id, "CONFIRMED")), t.declined(id)...)
	case "cancel", "decline":
		return when(status == "PENDING" || status == "EXPIRED", t.with(id, "CANCELLED"))
	}
	return nil
}

func (t terminal) create(c *Call) []terminal {
	if status := t.Intents[c.In.Id]; status != "" {
		return when(shown(status, c.Out.Status), t)
	}
	return when(c.Out.Status == "PENDING", t.created(c.In.Id))
}

// created: the terminal's open intent is cancelled, unless its card is being charged.
func (t terminal) created(id string) terminal {
	next := t
	for other, status := range t.Intents {
		switch status {
		case "PENDING", "EXPIRED":
			next = next.with(other, "CANCELLED")
		case "CHARGING", "LAPSED":
			next = next.with(other, "SUPERSEDED")
		}
	}
	return next.with(id, "PENDING")
}

func (t terminal) declined(id string) []terminal {
	switch t.Intents[id] {
	case "CHARGING":
		return []terminal{t.with(id, "PENDING")}
	case "LAPSED":
		return []terminal{t.with(id, "EXPIRED")}
	case "SUPERSEDED":
		return []terminal{t.with(id, "CANCELLED")}
	}
	return nil
}

func shown(status, as string) bool {
	switch status {
	case "CHARGING", "SUPERSEDED", "LAPSED":
		return as == "PENDING"
	case "EXPIRED":
		return as == "PENDING" || as == "CANCELLED"
	}
	return as == status
}

// settleTerminal forgets an intent that is over and that no later call names: it cannot change, and no other intent depends on it.
func settleTerminal(part []*Call, _ kinds) settle[terminal] {
	last := lastOf(part)
	return func(w world[terminal], now int64) world[terminal] {
		isForgotten := func(id string) bool {
			status := w.State.Intents[id]
			return now > last[id] && (status == "CONFIRMED" || status == "CANCELLED")
		}
		open := slices.DeleteFunc(slices.Clone(w.Open), func(c *Call) bool { return isForgotten(c.In.Id) })
		intents := maps.Clone(w.State.Intents)
		maps.DeleteFunc(intents, func(id, _ string) bool { return isForgotten(id) })
		return world[terminal]{terminal{intents}, open}
	}
}
