package main

// payment is one payment of a saved card, by its externalId. Before it is charged its status is empty.
type payment struct {
	Status string
	// Asked is the amount of the charge, Amount what moved or will move, Held what the bank authorized.
	Asked, Amount, Held int64
	// Past: the hold's window has ended.
	Past bool
}

func (p payment) in(status string) payment {
	p.Status = status
	return p
}

func (p payment) captured(amount int64) payment {
	if amount > 0 {
		p.Amount = amount
	}
	return p.in("CONFIRMED")
}

// byItself returns what a payment may become without a request: by the bank's outcome, or by the sweep.
func (p payment) byItself() []payment {
	switch {
	case p.Status == "PENDING" && p.Held > 0:
		return []payment{p, p.in("CANCELLED"), p.in("HELD")}
	case p.Status == "PENDING":
		return []payment{p, p.in("CANCELLED"), p.in("CONFIRMED")}
	case p.Status == "HELD" && p.Past:
		return []payment{p, p.in("HOLD_EXPIRED")}
	}
	return []payment{p}
}

func (p payment) step(c *Call) []payment {
	var next []payment
	for _, now := range p.byItself() {
		next = append(next, now.request(c)...)
	}
	return next
}

func (p payment) request(c *Call) []payment {
	switch c.Op {
	case "charge":
		return p.charge(c)
	case "capture":
		return p.capture(c)
	case "release":
		return p.release(c)
	case "refund":
		return p.refund(c)
	case "read":
		return when(c.Answer == "200" && p.shows(c), p)
	case "windowEnds":
		p.Past = true
		return []payment{p}
	}
	return nil
}

func (p payment) shows(c *Call) bool {
	held := p.Held
	// The bank has not authorized it, or declined.
	if p.Status == "PENDING" || p.Status == "CANCELLED" {
		held = 0
	}
	return c.Out.Status == p.Status && c.Out.Amount == p.Amount && c.Out.Held == held
}

func (p payment) charge(c *Call) []payment {
	made := payment{Asked: c.In.Amount, Amount: c.In.Amount, Past: p.Past}
	approved := "CONFIRMED"
	if c.In.Hold {
		made.Held, approved = c.In.Amount, "HELD"
	}
	isNew, isSame := p.Status == "", p.Asked == c.In.Amount
	switch {
	case c.isOpen() && isNew:
		return []payment{p, made.in("PENDING")}
	case c.isOpen(), c.Answer == "409 CHARGE_IN_PROGRESS":
		return []payment{p}
	case c.Answer == "201" && isNew:
		return when(made.in(approved).shows(c), made.in(approved))
	case c.Answer == "201":
		return when(isSame && p.shows(c), p)
	case c.Answer == "402 CHARGE_DECLINED" && isNew:
		return []payment{made.in("CANCELLED")}
	case c.Answer == "402 CHARGE_DECLINED":
		return when(isSame && p.Status == "CANCELLED", p)
	case c.Answer == "409 EXTERNAL_ID_MISMATCH":
		return when(!isNew && !isSame, p)
	}
	return nil
}

func (p payment) capture(c *Call) []payment {
	isHeld := p.Status == "HELD"
	switch {
	case c.isOpen() && isHeld && c.In.Amount <= p.Held:
		return []payment{p, p.captured(c.In.Amount)}
	case c.isOpen(), isInProgress(c):
		return []payment{p}
	case c.Answer == "200":
		next := p.captured(c.In.Amount)
		return when(isHeld && !p.Past && c.In.Amount <= p.Held && next.shows(c), next)
	case c.Answer == "402 CAPTURE_DECLINED":
		return when(isHeld, p)
	case c.Answer == "400 CAPTURE_AMOUNT_EXCEEDS_HOLD":
		return when(isHeld && c.In.Amount > p.Held, p)
	case c.Answer == "409 HOLD_WINDOW_CLOSED":
		return when(isHeld && p.Past, p)
	case c.Answer == "409 PAYMENT_NOT_HELD":
		return when(!isHeld, p)
	}
	return nil
}

func (p payment) release(c *Call) []payment {
	isHeld, isReleased := p.Status == "HELD", p.Status == "HOLD_RELEASED"
	switch {
	case c.isOpen() && isHeld:
		return []payment{p, p.in("HOLD_RELEASED")}
	case c.isOpen(), isInProgress(c):
		return []payment{p}
	case c.Answer == "200":
		return when((isHeld || isReleased) && c.Out.Status == "HOLD_RELEASED", p.in("HOLD_RELEASED"))
	case c.Answer == "402 RELEASE_DECLINED":
		return when(isHeld, p)
	case c.Answer == "409 PAYMENT_NOT_HELD":
		return when(!isHeld && !isReleased, p)
	}
	return nil
}

func (p payment) refund(c *Call) []payment {
	isConfirmed, isRefunded := p.Status == "CONFIRMED", p.Status == "REFUNDED"
	switch {
	case c.isOpen() && isConfirmed:
		return []payment{p, p.in("REFUNDED")}
	case c.isOpen(), isInProgress(c):
		return []payment{p}
	case c.Answer == "200":
		return when(isConfirmed && c.Out.Amount == p.Amount, p.in("REFUNDED"))
	case c.Answer == "402 REFUND_DECLINED":
		return when(isConfirmed, p)
	case c.Answer == "409 PAYMENT_ALREADY_REFUNDED":
		return when(isRefunded, p)
	case c.Answer == "409 PAYMENT_NOT_REFUNDABLE":
		return when(!isConfirmed && !isRefunded, p)
	}
	return nil
}

// isInProgress: another operation on the payment has no outcome yet, so this request did nothing.
func isInProgress(c *Call) bool {
	switch c.Answer {
	case "409 CAPTURE_IN_PROGRESS", "409 RELEASE_IN_PROGRESS", "409 REFUND_IN_PROGRESS":
		return true
	}
	return false
}
