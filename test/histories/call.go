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
	} `json:"out"`
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
