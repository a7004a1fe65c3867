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
		// Of a subscription: a period, whether it is to end with its period, and whether the card declines everything.
		Number   int  `json:"number"`
		AtEnd    bool `json:"atEnd"`
		Declines bool `json:"declines"`
	} `json:"in"`
	Start int64 `json:"start"`
	// End is absent where nobody knows how the request ended: 202, 5xx, or a connection that broke.
	End    *int64 `json:"end"`
	Answer string `json:"answer"`
	Out    struct {
		Id     string `json:"id"`
		Status string `json:"status"`
		Amount int64  `json:"amount"`
		Held   int64  `json:"held"`
		// Of a subscription.
		Reason  string   `json:"reason"`
		AtEnd   bool     `json:"atEnd"`
		Periods []Period `json:"periods"`
	} `json:"out"`
	// Of a call whose end nobody knows: one number for those that ask for the same, and the calls that may only follow it.
	kind int
	then []*Call
}

// Period is one period of a subscription, with its payment where the list of periods shows it.
type Period struct {
	Number int    `json:"number"`
	Status string `json:"status"`
	Amount int64  `json:"amount"`
	Id     string `json:"id"`
}

func (c *Call) isOpen() bool { return c.End == nil }

// returned is when the request has had its effect at the latest.
func (c *Call) returned() int64 {
	if c.isOpen() {
		return math.MaxInt64
	}
	return *c.End
}

// when gives the states that follow where a condition holds, and none, so a violation, where it does not.
func when[S any](holds bool, next ...S) []S {
	if holds {
		return next
	}
	return nil
}
