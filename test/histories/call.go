package main

import "math"

// Call is one line of a history: a request, or one moment of a request that takes effect in two.
// Money is in centavos, times are microseconds.
type Call struct {
	Model  string `json:"model"`
	Part   string `json:"part"`
	Client int    `json:"client"`
	Op     string `json:"op"`
	In     struct {
		Id     string `json:"id"`
		Amount int64  `json:"amount"`
		Hold   bool   `json:"hold"`
		// For a subscription: a period, whether it ends with its period, and whether the card is always declined.
		Number   int  `json:"number"`
		AtEnd    bool `json:"atEnd"`
		Declines bool `json:"declines"`
	} `json:"in"`
	Start int64 `json:"start"`
	// End is absent if the outcome is not known: after 202, 5xx, or a broken connection.
	End    *int64 `json:"end"`
	Answer string `json:"answer"`
	Out    struct {
		Id     string `json:"id"`
		Status string `json:"status"`
		Amount int64  `json:"amount"`
		Held   int64  `json:"held"`
		// For a subscription.
		Reason  string   `json:"reason"`
		AtEnd   bool     `json:"atEnd"`
		Periods []Period `json:"periods"`
	} `json:"out"`
	// For a call without an end: a number for all calls that ask for the same, and the calls that can only follow it.
	kind int
	then []*Call
}

// Period is one period of a subscription, with its payment if the list of periods shows it.
type Period struct {
	Number int    `json:"number"`
	Status string `json:"status"`
	Amount int64  `json:"amount"`
	Id     string `json:"id"`
}

func (c *Call) isOpen() bool { return c.End == nil }

// returned is the latest moment at which the request has its effect.
func (c *Call) returned() int64 {
	if c.isOpen() {
		return math.MaxInt64
	}
	return *c.End
}

// when returns the next states if a condition holds; else none, which is a violation.
func when[S any](holds bool, next ...S) []S {
	if holds {
		return next
	}
	return nil
}
