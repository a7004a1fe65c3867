package main

import "strings"

const mostPeriods = 12

// subscription is one subscription, by its externalId. Before it is created its status is empty.
type subscription struct {
	// Status: PENDING, ACTIVE, PAST_DUE or CANCELLED. A paused one stays ACTIVE or PAST_DUE here.
	Status, Reason string
	Amount         int64
	Paused         bool
	// Ends is the period with which it ends, if its merchant asked for that.
	Ends int
	// Begun and May are the latest period that has begun, and the latest that may have.
	Begun, May int
	// Tried is the latest period that was charged in its turn, Skipped the latest that was left out.
	Tried, Skipped int
	// Paid has the payment of each paid period, "?" if no answer has shown it.
	Paid [mostPeriods]string
	// Charging is the period whose charge is at the bank. ChargingDeclines: its card is always declined; Declines: the current card is.
	Charging                   int
	ChargingDeclines, Declines bool
}

func (s subscription) isEnded() bool { return s.Status == "CANCELLED" }
func (s subscription) isLive() bool  { return s.Status == "ACTIVE" || s.Status == "PAST_DUE" }
func (s subscription) isNew() bool   { return s.Status == "" }

func (s subscription) ended(reason string) subscription {
	s.Status, s.Reason, s.Paused, s.Ends = "CANCELLED", reason, false, 0
	return s
}

// isFree: a charge of the period may begin.
func (s subscription) isFree(number int) bool {
	return number >= 1 && number < mostPeriods && s.Paid[number] == "" && s.Charging == 0
}

func (s subscription) charging(number int, counts bool) subscription {
	s.Charging, s.ChargingDeclines = number, s.Declines
	if counts {
		s.Tried = number
	}
	return s
}

func (s subscription) paid(payment string) subscription {
	number := s.Charging
	s.Paid[number], s.Charging, s.ChargingDeclines = payment, 0, false
	if s.Status == "PENDING" || s.Status == "PAST_DUE" && number == s.Tried {
		s.Status = "ACTIVE"
	}
	return s
}

func (s subscription) declined() subscription {
	number := s.Charging
	s.Charging, s.ChargingDeclines = 0, false
	switch {
	case s.Status == "PENDING":
		return s.ended("FIRST_CHARGE_FAILED")
	case s.isLive() && number == s.Tried:
		s.Status = "PAST_DUE"
	}
	return s
}

// unsent: the bank never saw the charge. If it was the first, there is no subscription.
func (s subscription) unsent() subscription {
	s.Charging, s.ChargingDeclines = 0, false
	if s.Status == "PENDING" {
		return subscription{Begun: s.Begun, May: s.May}
	}
	return s
}

// byItself returns what may come next without a request: the bank's answer, a charge by the clock, an end by the clock.
func (s subscription) byItself() []subscription {
	var next []subscription
	if s.Charging > 0 {
		next = append(next, s.declined(), s.unsent())
		if !s.ChargingDeclines {
			next = append(next, s.paid("?"))
		}
	}
	if s.isLive() && s.Ends > 0 && s.May > s.Ends {
		next = append(next, s.ended("MERCHANT"))
	}
	if !s.isLive() || s.Paused || s.Charging > 0 {
		return next
	}
	for number := s.Begun; number <= s.May; number++ {
		isDue := number == s.Tried || number > max(s.Tried, s.Skipped) && s.Ends == 0
		if isDue && s.isFree(number) {
			next = append(next, s.charging(number, true))
		}
	}
	if s.Status == "PAST_DUE" {
		next = append(next, s.ended("PAYMENT_FAILED"))
	}
	return next
}

// reachable returns all that it may have become without a request.
func (s subscription) reachable() []subscription {
	all, seen := []subscription{s}, map[subscription]bool{s: true}
	for n := 0; n < len(all); n++ {
		for _, next := range all[n].byItself() {
			if !seen[next] {
				seen[next] = true
				all = append(all, next)
			}
		}
	}
	return all
}

func (s subscription) step(c *Call) []subscription {
	var next []subscription
	if c.Op == "mayBegin" || c.Op == "begun" {
		// It may have changed in the period before without a request.
		for _, now := range s.reachable() {
			now.May = max(now.May, c.In.Number)
			if c.Op == "begun" {
				now.Begun = max(now.Begun, c.In.Number)
			}
			next = append(next, now)
		}
		return next
	}
	seen := map[subscription]bool{}
	for _, now := range s.reachable() {
		for current := now.Begun; current <= now.May; current++ {
			for _, one := range now.request(c, current) {
				if !seen[one] {
					seen[one] = true
					next = append(next, one)
				}
			}
		}
	}
	return next
}

// at returns it as of this current period.
func (s subscription) at(current int) subscription {
	if s.isLive() && s.Ends > 0 && current > s.Ends {
		return s.ended("MERCHANT")
	}
	return s
}

func (s subscription) request(c *Call, current int) []subscription {
	now := s.at(current)
	if c.Op == "create" {
		return s.create(c, current)
	}
	if c.Answer == "404 SUBSCRIPTION_NOT_FOUND" {
		return when(s.isNew(), s)
	}
	if c.Answer == "409 SUBSCRIPTION_ENDED" && c.Op != "collect" {
		return when(now.isEnded() && c.Op != "cancel", s)
	}
	switch c.Op {
	case "cancel":
		return s.answered(c, current, now.cancelled(c.In.AtEnd, current))
	case "pause":
		if c.Answer == "409 CHARGE_IN_PROGRESS" {
			return when(s.Status == "PENDING", s)
		}
		paused := now
		paused.Paused = true
		return s.answered(c, current, when(now.isLive(), paused))
	case "resume":
		return s.answered(c, current, now.resumed(current))
	case "change":
		changed := now
		changed.Declines = c.In.Declines
		return s.answered(c, current, when(!now.isNew() && !now.isEnded(), changed))
	case "collect":
		return s.collect(c, current)
	case "collected":
		return s.collected(c)
	case "read":
		return when(c.Answer == "200" && now.shows(c, current), s)
	case "periods":
		return s.periods(c, current)
	}
	return nil
}

// answered: the changed states that the answer shows; without an end, it may also be unchanged.
func (s subscription) answered(c *Call, current int, next []subscription) []subscription {
	if c.isOpen() {
		return append([]subscription{s}, next...)
	}
	var shown []subscription
	for _, one := range next {
		if c.Answer == "200" && one.shows(c, current) {
			shown = append(shown, one)
		}
	}
	return shown
}

func (s subscription) create(c *Call, current int) []subscription {
	made := subscription{Status: "ACTIVE", Amount: c.In.Amount, Declines: c.In.Declines, Begun: s.Begun, May: s.May}
	isCharged := c.In.Number == 1
	pending := made
	if isCharged {
		made.Paid[1], made.Tried = "?", 1
		pending = pending.charging(1, true)
		pending.Status = "PENDING"
	}
	isSame := s.Amount == c.In.Amount
	isFailed := s.isEnded() && s.Paid[1] == "" && s.Charging == 0 && isCharged
	switch {
	case c.isOpen() && s.isNew():
		return []subscription{s, pending}
	case c.isOpen(), c.Answer == "409 CHARGE_IN_PROGRESS":
		return []subscription{s}
	// Its first day has passed meanwhile.
	case strings.HasPrefix(c.Answer, "400 "):
		return when(s.isNew() && s.May > 0, s)
	case c.Answer == "409 EXTERNAL_ID_MISMATCH":
		return when(!s.isNew() && !isSame, s)
	case c.Answer == "201" && s.isNew():
		return when(!(isCharged && c.In.Declines) && made.shows(c, current), made)
	case c.Answer == "201":
		return when(isSame && !isFailed && s.at(current).shows(c, current), s)
	case c.Answer == "402 CHARGE_DECLINED" && s.isNew():
		return when(isCharged, pending.declined())
	case c.Answer == "402 CHARGE_DECLINED":
		return when(isSame && isFailed, s)
	}
	return nil
}

// cancelled: at the period's end only if this period was charged; else at once.
func (s subscription) cancelled(atEnd bool, current int) []subscription {
	switch {
	case s.isNew():
		return nil
	case s.isEnded() || atEnd && s.Ends > 0:
		return []subscription{s}
	case atEnd && current > 0 && (s.Tried == current || s.Charging == current || s.isPaid(current)):
		s.Ends = current
		return []subscription{s}
	}
	return []subscription{s.ended("MERCHANT")}
}

func (s subscription) isPaid(number int) bool {
	return number >= 1 && number < mostPeriods && s.Paid[number] != ""
}

// resumed: periods that began during the pause without an attempt are left out.
func (s subscription) resumed(current int) []subscription {
	if s.isNew() || s.isEnded() {
		return nil
	}
	if s.Paused && current > s.Tried {
		s.Skipped = max(s.Skipped, current)
	}
	s.Paused, s.Ends = false, 0
	return []subscription{s}
}

// collect begins a charge by hand, which "collected" ends.
func (s subscription) collect(c *Call, current int) []subscription {
	number, now := c.In.Number, s.at(current)
	isLeftOut := number <= s.Skipped || s.Paused && number > s.Tried
	counts := number == current && number >= s.Tried && !isLeftOut
	isCharged := !now.isNew() && !now.isEnded() && number <= current && s.isFree(number)
	switch {
	case c.isOpen():
		return append([]subscription{s}, when(isCharged, s.charging(number, counts))...)
	case c.Answer == "409 CHARGE_IN_PROGRESS", c.Answer == "429 TOO_MANY_ATTEMPTS":
		return []subscription{s}
	case c.Answer == "201" && s.isPaid(number):
		return []subscription{s}
	case c.Answer == "201", c.Answer == "402 CHARGE_DECLINED":
		return when(isCharged, s.charging(number, counts))
	case c.Answer == "409 SUBSCRIPTION_ENDED":
		return when(now.isEnded() && !s.isPaid(number), s)
	case c.Answer == "409 SUBSCRIPTION_PERIOD_NOT_DUE":
		return when(!now.isEnded() && number > current, s)
	}
	return nil
}

func (s subscription) collected(c *Call) []subscription {
	number := c.In.Number
	switch {
	case c.Answer == "201":
		return s.seen(number, c.Out.Id)
	case c.Answer == "402 CHARGE_DECLINED":
		return when(s.Charging == number, s.declined())
	}
	return nil
}

// seen: the period is paid by this payment.
func (s subscription) seen(number int, payment string) []subscription {
	if !s.isPaid(number) || s.Paid[number] != "?" && s.Paid[number] != payment {
		return nil
	}
	s.Paid[number] = payment
	return []subscription{s}
}

// shows: the answer is this subscription.
func (s subscription) shows(c *Call, current int) bool {
	status := s.Status
	if s.Paused {
		status = "PAUSED"
	}
	out := c.Out
	if s.isNew() || out.Status != status || out.Reason != s.Reason || out.AtEnd != (s.Ends > 0) || out.Amount != s.Amount {
		return false
	}
	if s.isEnded() || current == 0 {
		return len(out.Periods) == 0
	}
	return len(out.Periods) == 1 && out.Periods[0].Number == current && s.showsPeriod(out.Periods[0], current)
}

func (s subscription) showsPeriod(shown Period, current int) bool {
	number := shown.Number
	isCharging := s.Charging == number
	switch shown.Status {
	case "PAID":
		return s.isPaid(number)
	case "OPEN":
		return !s.isPaid(number) && (number == current || isCharging)
	case "SKIPPED":
		isLeftOut := number <= s.Skipped || s.Paused || number < current || s.isEnded()
		return !s.isPaid(number) && !isCharging && isLeftOut
	case "FAILED":
		return !s.isPaid(number) && !isCharging
	}
	return false
}

// periods: the list, the latest first. Unless it has ended, it lists all periods that have begun.
func (s subscription) periods(c *Call, current int) []subscription {
	now, all := s.at(current), c.Out.Periods
	if c.Answer != "200" || now.isNew() || len(all) > current || !now.isEnded() && len(all) != current {
		return nil
	}
	for n, shown := range all {
		if shown.Number != len(all)-n || shown.Amount != s.Amount || !now.showsPeriod(shown, current) {
			return nil
		}
		if shown.Status == "PAID" {
			seen := s.seen(shown.Number, shown.Id)
			if seen == nil {
				return nil
			}
			s = seen[0]
		}
	}
	return []subscription{s}
}
