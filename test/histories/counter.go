package main

import "maps"

// counter is what can be taken a number of times only: the payments of a payment link, the units of a product, the
// requests of a key within a minute.
type counter struct {
	Left int64
	// Attempts says of each attempt to take one whether it has it ("taken") or has given it back ("back").
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

// spend takes one that nobody asks about again, so that the state does not say who has it.
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
