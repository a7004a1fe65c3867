package main

// link is one created one-time payment.
type link struct {
	Status string
	// Refunded: its payment was refunded. The one-time payment stays CONFIRMED.
	Refunded bool
	// Past: it may have expired.
	Past bool
}

func newLink() link { return link{Status: "PENDING"} }

func (l link) in(status string) link {
	l.Status = status
	return l
}

func (l link) step(c *Call) []link {
	isPending, isConfirmed := l.Status == "PENDING", l.Status == "CONFIRMED"
	refunded := l
	refunded.Refunded = true
	switch c.Op + " " + c.Answer {
	case "pay 201":
		return when(isPending && !l.Past, l.in("CONFIRMED"))
	case "pay 402 CHARGE_DECLINED", "pay 402 CARD_DECLINED":
		return when(isPending, l)
	case "pay 409 ONE_TIME_PAYMENT_NOT_PENDING":
		return when(!isPending, l)
	case "pay 409 ONE_TIME_PAYMENT_EXPIRED":
		return when(isPending && l.Past, l)
	case "pay 409 PAYMENT_IN_PROGRESS", "cancel 409 PAYMENT_IN_PROGRESS", "refund 409 REFUND_IN_PROGRESS", "pay 429 TOO_MANY_ATTEMPTS":
		return []link{l}
	case "cancel 200":
		return when(!isConfirmed, l.in("CANCELLED"))
	case "cancel 409 ONE_TIME_PAYMENT_NOT_PENDING":
		return when(isConfirmed, l)
	case "refund 200":
		return when(isConfirmed && !l.Refunded, refunded)
	case "refund 402 REFUND_DECLINED":
		return when(isConfirmed && !l.Refunded, l)
	case "refund 409 PAYMENT_ALREADY_REFUNDED":
		return when(l.Refunded, l)
	case "refund 409 PAYMENT_NOT_REFUNDABLE":
		return when(!isConfirmed, l)
	case "read 200":
		return when(c.Out.Status == l.Status, l)
	case "clock 200":
		past := l
		past.Past = true
		return append(when(c.isOpen(), l), past)
	}
	if !c.isOpen() {
		return nil
	}
	switch {
	case c.Op == "pay" && isPending:
		return []link{l, l.in("CONFIRMED")}
	case c.Op == "cancel" && isPending:
		return []link{l, l.in("CANCELLED")}
	case c.Op == "refund" && isConfirmed:
		return []link{l, refunded}
	}
	return []link{l}
}
