package main

import "slices"

// developer is a payment as the Developer API shows it, which may be late but never goes back.
type developer struct{ Status string }

var follows = map[string][]string{
	"":          {"HELD", "CONFIRMED", "CANCELLED", "REFUNDED", "HOLD_RELEASED", "HOLD_EXPIRED"},
	"HELD":      {"CONFIRMED", "REFUNDED", "HOLD_RELEASED", "HOLD_EXPIRED"},
	"CONFIRMED": {"REFUNDED"},
}

func (d developer) step(c *Call) []developer {
	status := c.Out.Status
	switch c.Answer {
	case "429 RATE_LIMIT_EXCEEDED":
		return []developer{d}
	case "404 PAYMENT_NOT_FOUND":
		return when(d.Status == "", d)
	case "200":
		return when(status == d.Status || slices.Contains(follows[d.Status], status), developer{status})
	}
	return nil
}
