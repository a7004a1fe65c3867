package main

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// calls reads a history, one call per line: `start end op answer [id] [in-amount] [out-status] [out-amount] [out-held]`, where end may be
// `-` for an open end, and the other fields too.
func calls(t *testing.T, model, text string) []*Call {
	t.Helper()
	var all []*Call
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		words := append(strings.Fields(line), "-", "-", "-", "-", "-")
		call := &Call{Model: model, Part: "one", Op: words[2], Answer: answerOf(words[3])}
		call.Start = number(words[0])
		if words[1] != "-" {
			end := number(words[1])
			call.End = &end
		}
		call.In.Id, call.In.Amount, call.In.Hold = word(words[4]), number(words[5]), model == "payment"
		call.Out.Status, call.Out.Amount, call.Out.Held = word(words[6]), number(words[7]), number(words[8])
		call.Out.Id = call.In.Id
		if model == "subscription" {
			forSubscription(call, words[7])
		}
		all = append(all, call)
	}
	return all
}

// forSubscription: in-amount is the period of the request; at the creation 1 if it is charged at once. out-amount holds the shown
// periods, `2OPEN,1PAID`. The out-status may end in the reason. Everything costs 1.
func forSubscription(call *Call, periods string) {
	call.In.Number, call.In.Amount = int(call.In.Amount), 1
	call.In.AtEnd, call.In.Declines = call.In.Id == "atEnd", call.In.Id == "declining"
	call.Out.Status, call.Out.Reason, _ = strings.Cut(call.Out.Status, ":")
	call.Out.AtEnd, call.Out.Amount = call.Out.Held == 1, 1
	for _, text := range strings.Split(word(periods), ",") {
		if text != "" {
			call.Out.Periods = append(call.Out.Periods, Period{Number: int(text[0] - '0'), Status: text[1:], Amount: 1, Id: text[:1]})
		}
	}
}

func answerOf(text string) string { return strings.Replace(text, ":", " ", 1) }

func word(text string) string {
	if text == "-" {
		return ""
	}
	return text
}

func number(text string) int64 {
	var n int64
	for _, digit := range word(text) {
		n = 10*n + int64(digit-'0')
	}
	return n
}

const (
	// Weeks end at 10 and 20; all processes have noticed it at 11 and 21.
	weeks  = "0 0 begun 200 - 1\n10 10 mayBegin 200 - 2\n11 11 begun 200 - 2\n20 20 mayBegin 200 - 3\n21 21 begun 200 - 3\n"
	weekly = weeks + "1 2 create 201 - 1 ACTIVE 1PAID\n"
)

// silent: three payers send an attempt three times each, and again with other attempts. No call has an end, and then one unit is out.
func silent(rounds int) string {
	var lines strings.Builder
	for at := range 4 * rounds {
		for payer := 3 * (at / 4); at%4 < 3 && payer < 3*(at/4)+3; payer++ {
			fmt.Fprintf(&lines, "%d - take 503 %d\n%d - giveBack 503 %d\n", 10+at, payer, 10+at, payer)
		}
		if at%4 == 3 {
			fmt.Fprintf(&lines, "%d %d read 200 - - - 1\n", 10+at, 10+at)
		}
	}
	return "0 1 made 201 - 4\n2 9 take 201 x\n2 9 take 201 y\n" + lines.String()
}

// intents creates one intent after the other, each after another one that was sent four times without an end.
func intents(rounds int) string {
	text := ""
	for n := range rounds {
		text += fmt.Sprintf(strings.Repeat("%[1]d - create 503 silent%[1]d\n", 4)+"%[1]d %[1]d create 201 %[1]d - PENDING\n%[2]d - cancel 503 %[1]d\n%[2]d %[2]d read 200 %[1]d - PENDING\n", 10*n, 10*n+1)
	}
	return text
}

const held = "0 1 charge 201 - 100 HELD 100 100\n"

func TestJudge(t *testing.T) {
	tests := []struct {
		name, model, history string
		violates             bool
	}{
		{"a hold is captured and refunded", "payment", held + "2 3 capture 200 - 70 CONFIRMED 70 100\n4 5 refund 200 - - REFUNDED 70\n6 7 read 200 - - REFUNDED 70 100", false},
		{"a captured hold is read as held", "payment", held + "2 3 capture 200 - 70 CONFIRMED 70 100\n4 5 read 200 - - HELD 100 100", true},
		{"a read during the capture may show either", "payment", held + "2 9 capture 200 - 70 CONFIRMED 70 100\n3 4 read 200 - - HELD 100 100\n5 6 read 200 - - CONFIRMED 70 100", false},
		{"a read shows what a later one does not", "payment", held + "2 9 capture 200 - 70 CONFIRMED 70 100\n3 4 read 200 - - CONFIRMED 70 100\n5 6 read 200 - - HELD 100 100", true},
		{"a capture whose end is open takes effect later", "payment", held + "2 - capture 202 - 70\n4 5 read 200 - - HELD 100 100\n6 7 read 200 - - CONFIRMED 70 100", false},
		{"a capture whose end is open took another amount", "payment", held + "2 - capture 202 - 70\n6 7 read 200 - - CONFIRMED 60 100", true},
		{"two captures of one hold", "payment", held + "2 9 capture 200 - 70 CONFIRMED 70 100\n2 9 capture 200 - 60 CONFIRMED 60 100", true},
		{"a second capture is refused", "payment", held + "2 9 capture 200 - 70 CONFIRMED 70 100\n2 9 capture 409:PAYMENT_NOT_HELD - 60", false},
		{"a refused capture was the first", "payment", held + "2 3 capture 409:PAYMENT_NOT_HELD - 70", true},
		{"a charge nobody heard of is replayed", "payment", "0 - charge cut - 100\n" + "2 3 charge 201 - 100 HELD 100 100", false},
		{"a lost charge", "payment", held + "2 3 charge 402:CHARGE_DECLINED - 100", true},
		{"another amount under the key", "payment", held + "2 3 charge 409:EXTERNAL_ID_MISMATCH - 200", false},
		{"another amount under the key is replayed", "payment", held + "2 3 charge 201 - 200 HELD 100 100", true},
		{"a window closes at 23:00", "payment", held + "2 3 windowEnds 200\n4 5 capture 409:HOLD_WINDOW_CLOSED - 70\n6 7 read 200 - - HOLD_EXPIRED 100 100", false},
		{"a window closes too early", "payment", held + "4 5 capture 409:HOLD_WINDOW_CLOSED - 70\n6 7 windowEnds 200", true},
		{"a capture after 23:00", "payment", held + "2 3 windowEnds 200\n4 5 capture 200 - 70 CONFIRMED 70 100", true},
		{"a hold expires before 23:00", "payment", held + "4 5 read 200 - - HOLD_EXPIRED 100 100\n6 7 windowEnds 200", true},

		{"one of two pays", "link", "0 9 pay 201\n0 9 pay 409:ONE_TIME_PAYMENT_NOT_PENDING\n10 11 read 200 - - CONFIRMED", false},
		{"both pay", "link", "0 9 pay 201\n0 9 pay 201", true},
		{"paid after it was cancelled", "link", "0 1 cancel 200\n2 3 pay 201", true},
		{"paid, nobody knows whether, and cancelled", "link", "0 - pay 504\n2 3 cancel 409:PAYMENT_IN_PROGRESS\n4 5 read 200 - - CONFIRMED", false},
		{"refunded twice", "link", "0 1 pay 201\n2 3 refund 200\n4 5 refund 200", true},

		{"the last one is sold once", "counter", "0 1 made 201 - 1\n2 9 take 201 a\n2 9 take 409:PAYMENT_LINK_SOLD_OUT b\n10 11 read 200 - - - 0", false},
		{"the last one is sold twice", "counter", "0 1 made 201 - 1\n2 9 take 201 a\n2 9 take 201 b", true},
		{"sold out while one is left", "counter", "0 1 made 201 - 1\n2 3 take 409:PAYMENT_LINK_SOLD_OUT b", true},
		{"sold out while the last is being declined", "counter", "0 1 made 201 - 1\n2 9 take 402:CHARGE_DECLINED a\n2 9 giveBack 402:CHARGE_DECLINED a\n3 4 take 409:PAYMENT_LINK_SOLD_OUT b\n10 11 take 201 c", false},
		{"a budget is spent, by some of whom nobody knows", "counter", "0 1 made 201 - 1\n2 - spend 504\n2 9 spend 429:RATE_LIMIT_EXCEEDED\n10 - spend cut\n11 12 spend 429:RATE_LIMIT_EXCEEDED", false},
		{"more than the budget", "counter", "0 1 made 201 - 1\n2 - spend 504\n2 9 spend 200\n10 19 spend 200", true},
		{"two come back for one", "counter", "0 1 made 201 - 1\n2 9 take 402:CHARGE_DECLINED a\n2 9 giveBack 402:CHARGE_DECLINED a\n10 11 read 200 - - - 2", true},

		{"many attempts of whom nobody knows, and two come back", "counter", silent(8) + "90 95 take 402:CHARGE_DECLINED 23\n90 95 giveBack 402:CHARGE_DECLINED 23\n91 92 take 409:PAYMENT_LINK_SOLD_OUT 22\n96 97 read 200 - - - 2", false},
		{"many attempts of whom nobody knows, and three come back", "counter", silent(8) + "90 95 take 402:CHARGE_DECLINED 23\n90 95 giveBack 402:CHARGE_DECLINED 23\n91 92 take 409:PAYMENT_LINK_SOLD_OUT 22\n96 97 read 200 - - - 3", true},
		{"a budget is spent by many of whom nobody knows", "counter", "0 1 made 201 - 12\n" + strings.Repeat("2 - spend 504\n", 24) + strings.Repeat("3 9 spend 200\n", 4) + "10 11 spend 429:RATE_LIMIT_EXCEEDED", false},
		{"a budget is left by many of whom nobody knows", "counter", "0 1 made 201 - 32\n" + strings.Repeat("2 - spend 504\n", 24) + strings.Repeat("3 9 spend 200\n", 4) + "10 11 spend 429:RATE_LIMIT_EXCEEDED", true},

		{"a new intent supersedes the open one", "terminal", "0 1 create 201 a - PENDING\n2 3 create 201 b - PENDING\n4 5 read 200 a - CANCELLED\n6 7 next 200 b", false},
		{"a new intent supersedes nothing", "terminal", "0 1 create 201 a - PENDING\n2 3 create 201 b - PENDING\n4 5 read 200 a - PENDING", true},
		{"superseded while its card is charged, and paid", "terminal", "0 1 create 201 a - PENDING\n2 9 tap 201 a\n2 9 outcome 201 a\n3 4 create 201 b - PENDING\n5 6 read 200 a - PENDING\n10 11 read 200 a - CONFIRMED", false},
		{"cancelled and paid", "terminal", "0 1 create 201 a - PENDING\n2 3 cancel 200 a\n4 9 tap 201 a\n4 9 outcome 201 a", true},
		{"its time is over while a card is declined", "terminal", "0 1 create 201 a - PENDING\n2 9 tap 402:CHARGE_DECLINED a\n2 9 outcome 402:CHARGE_DECLINED a\n4 5 clock 200\n10 11 next 204\n12 13 read 200 a - CANCELLED", false},
		{"its time is over while a card is charged, and it is paid again", "terminal", "0 1 create 201 a - PENDING\n2 9 tap 201 a\n2 9 outcome 201 a\n4 5 clock 200\n10 19 tap 201 a\n10 19 outcome 201 a", true},
		{"the terminal is offered what was cancelled", "terminal", "0 1 create 201 a - PENDING\n2 3 cancel 200 a\n4 5 next 200 a", true},
		{"many intents that nobody knows of", "terminal", intents(9) + "90 91 read 200 0 - CANCELLED\n90 91 next 204", false},
		{"many intents that nobody knows of, and the first is open", "terminal", intents(9) + "90 91 read 200 0 - PENDING\n90 91 next 204", true},

		{"a period is charged by the clock", "subscription", weekly + "12 13 read 200 - - ACTIVE 2OPEN\n14 15 read 200 - - ACTIVE 2PAID\n22 23 periods 200 - - - 3OPEN,2PAID,1PAID", false},
		{"a period is charged while nobody looks", "subscription", weekly + "22 23 periods 200 - - - 3OPEN,2PAID,1PAID", false},
		{"a period is charged while nobody looks, and while it is paused", "subscription", weekly + "3 4 pause 200 - - PAUSED 1PAID\n22 23 periods 200 - - - 3OPEN,2PAID,1PAID", true},
		{"a paid period is open again", "subscription", weekly + "12 13 read 200 - - ACTIVE 2PAID\n14 15 read 200 - - ACTIVE 2OPEN", true},
		{"a period begins too early", "subscription", weekly + "7 8 read 200 - - ACTIVE 2OPEN", true},
		{"one of two processes has not noticed that a period has begun", "subscription", weekly + "10 11 read 200 - - ACTIVE 2OPEN\n10 11 read 200 - - ACTIVE 1PAID", false},
		{"charged while it is paused", "subscription", weekly + "3 4 pause 200 - - PAUSED 1PAID\n12 13 read 200 - - PAUSED 2PAID", true},
		{"its charge was at the bank when it was paused", "subscription", weekly + "12 13 pause 200 - - PAUSED 2OPEN\n14 15 read 200 - - PAUSED 2PAID", false},
		{"resumed it charges what it has skipped", "subscription", weekly + "3 4 pause 200 - - PAUSED 1PAID\n12 13 resume 200 - - ACTIVE 2SKIPPED\n14 15 read 200 - - ACTIVE 2PAID", true},
		{"what was skipped is collected by hand", "subscription", weekly + "3 4 pause 200 - - PAUSED 1PAID\n12 13 resume 200 - - ACTIVE 2SKIPPED\n14 15 collect 201 2 2\n14 15 collected 201 2 2\n16 17 periods 200 - - - 2PAID,1PAID", false},
		{"skipped although nobody paused it", "subscription", weekly + "12 13 read 200 - - ACTIVE 2SKIPPED", true},
		{"charged after it was cancelled", "subscription", weekly + "3 4 cancel 200 - - CANCELLED:MERCHANT\n12 13 periods 200 - - - 2PAID,1PAID", true},
		{"cancelled and active", "subscription", weekly + "3 4 cancel 200 - - CANCELLED:MERCHANT\n5 6 read 200 - - ACTIVE 1PAID", true},
		{"it ends with its period", "subscription", weekly + "3 4 cancel 200 atEnd - ACTIVE 1PAID 1\n5 6 read 200 - - ACTIVE 1PAID 1\n12 13 read 200 - - CANCELLED:MERCHANT\n14 15 collect 409:SUBSCRIPTION_ENDED - 2", false},
		{"it ends with its period and goes on", "subscription", weekly + "3 4 cancel 200 atEnd - ACTIVE 1PAID 1\n12 13 read 200 - - ACTIVE 2OPEN 1", true},
		{"collected by two at once", "subscription", weekly + "12 19 collect 201 2 2\n12 19 collected 201 2 2\n12 19 collect 201 2 2\n12 19 collected 201 2 2", false},
		{"collected by two payments", "subscription", weekly + "12 19 collect 201 2 2\n12 19 collected 201 2 2\n12 19 collect 201 x 2\n12 19 collected 201 x 2", true},
		{"not due although it has begun", "subscription", weekly + "12 13 collect 409:SUBSCRIPTION_PERIOD_NOT_DUE - 2", true},
		{"the new card declines", "subscription", weekly + "3 4 change 200 declining - ACTIVE 1PAID\n12 13 read 200 - - PAST_DUE 2OPEN\n14 15 change 200 - - PAST_DUE 2OPEN\n16 17 read 200 - - ACTIVE 2PAID", false},
		{"the old card is charged", "subscription", weekly + "3 4 change 200 declining - ACTIVE 1PAID\n12 13 read 200 - - ACTIVE 2PAID", true},
		{"past due without a period to charge", "subscription", weekly + "3 4 read 200 - - PAST_DUE 1PAID", true},
		{"nobody heard of it, and it is charged once", "subscription", weeks + "1 - create cut - 1\n2 3 create 201 - 1 ACTIVE 1PAID", false},
		{"cancelled while its first charge is at the bank", "subscription", weeks + "1 9 create 201 - 1 CANCELLED:MERCHANT\n1 - create 202 - 1\n2 3 pause 409:CHARGE_IN_PROGRESS\n3 4 cancel 200 - - CANCELLED:MERCHANT\n5 6 periods 200 - - - 1OPEN", false},
		{"its first charge fails", "subscription", weeks + "1 2 create 402:CHARGE_DECLINED - 1\n3 4 read 200 - - CANCELLED:FIRST_CHARGE_FAILED", false},
		{"its first charge failed and it goes on", "subscription", weeks + "1 2 create 402:CHARGE_DECLINED - 1\n3 4 create 201 - 1 ACTIVE 1PAID", true},

		{"shown late", "developer", "0 1 read 404:PAYMENT_NOT_FOUND\n2 3 read 200 - - HELD\n4 5 read 200 - - CONFIRMED", false},
		{"shown as it was before", "developer", "0 1 read 200 - - CONFIRMED\n2 3 read 200 - - HELD", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found := judge(calls(t, test.model, test.history), time.Minute)
			if violates := len(found.Violations) > 0; violates != test.violates || len(found.Unknown) > 0 {
				t.Errorf("violations %v, unknown %v", found.Violations, found.Unknown)
			}
		})
	}
}
