package main

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
)

// Each `?` of a line is drawn. A call with 202, 5xx or `cut` has no end; a clock may have none.
var drawn = map[string]struct {
	histories, ids int
	first          string
	lines          string
}{
	"counter": {3000, 3, "0 1 made 201 - 2", `take 503 ?; giveBack 503 ?; take 202 ?; giveBack cut ?; take 201 ?; take 402:CHARGE_DECLINED ?
		giveBack 402:CHARGE_DECLINED ?; take 409:PAYMENT_LINK_SOLD_OUT ?; take 402:CARD_DECLINED ?; change 201 ? 1 - 0; change 201 ? 1 - 1
		change 201 ? 1 - 2; change 503 ? 1; change cut ? 2; spend 200; spend 504; spend 429:RATE_LIMIT_EXCEEDED; made 201 - 1; take 503 ?
		giveBack 503 ?; take 201 ?; read 200 - - - 0; read 200 - - - 1; read 200 - - - 2; read 200 - - - 3; read 200 - - - 0; read 200 - - - 1`},
	"payment": {500, 1, "0 - charge cut - 9", `charge 201 - 9 HELD 9 9; charge cut - 9; charge 402:CHARGE_DECLINED - 9; windowEnds 200
		capture 200 - 7 CONFIRMED 7 9; capture 202 - 7; capture 503 - 6; capture 409:PAYMENT_NOT_HELD - 7; release 200 - - HOLD_RELEASED
		release 503; refund 200 - - REFUNDED 7; refund 503; read 200 - - HELD 9 9; read 200 - - CONFIRMED 7 9; read 200 - - CONFIRMED 6 9
		read 200 - - REFUNDED 7 9; read 200 - - HOLD_RELEASED 9 9; read 200 - - PENDING 9`},
	"link": {500, 1, "0 1 pay 429:TOO_MANY_ATTEMPTS", `pay 201; pay 504; pay 402:CHARGE_DECLINED; pay 409:ONE_TIME_PAYMENT_NOT_PENDING; cancel 200
		cancel 503; refund 200; refund 503; refund 409:PAYMENT_NOT_REFUNDABLE; read 200 - - PENDING; read 200 - - CONFIRMED
		read 200 - - CANCELLED; clock 200; pay 409:ONE_TIME_PAYMENT_EXPIRED`},
	"terminal": {500, 3, "0 1 create 201 a - PENDING", `create 201 ? - PENDING; create 503 ?; tap 201 ?; tap 503 ?; outcome 201 ?; outcome 503 ?
		cancel 200 ?; cancel 503 ?; next 200 ?; next 204; read 200 ? - PENDING; read 200 ? - CANCELLED; read 200 ? - CONFIRMED; clock 200`},
	"subscription": {150, 1, "0 0 begun 200 - 1\n1 2 create 201 - 1 ACTIVE 1PAID\n3 3 mayBegin 200 - 2\n4 4 begun 200 - 2", `pause 200 - - PAUSED 2OPEN; pause 503; resume 503; cancel 503; cancel 503 atEnd; collect 503 2 2
		change 503 declining; collect 201 2 2; collected 201 2 2; read 200 - - ACTIVE 2PAID; read 200 - - ACTIVE 2OPEN
		read 200 - - PAST_DUE 2OPEN; read 200 - - CANCELLED:MERCHANT; resume 200 - - ACTIVE 2SKIPPED; periods 200 - - - 2PAID,1PAID`},
}

// porcupine's plain search, in which a call without an end may come last, must give the same result.
func TestJudgesAsThePlainSearch(t *testing.T) {
	compare(t, "counter", counter{}, counter.step)
	compare(t, "payment", payment{}, payment.step)
	compare(t, "link", newLink(), link.step)
	compare(t, "terminal", terminal{}, terminal.step)
	compare(t, "subscription", subscription{}, subscription.step)
}

func compare[S any](t *testing.T, model string, first S, step func(S, *Call) []S) {
	random, fitting := rand.New(rand.NewSource(7)), 0
	plain := plainModelOf(first, step)
	for n := range drawn[model].histories {
		text := draw(t, random, model, first, step)
		part := relevant(calls(t, model, text))
		reduced := porcupine.CheckOperations(models[model](part), answered(part))
		var history []porcupine.Operation
		for _, call := range part {
			history = append(history, porcupine.Operation{Input: call, Call: call.Start, Return: call.returned()})
		}
		if expected := porcupine.CheckOperations(plain, history); expected != reduced {
			t.Fatalf("%s %d: %v, and in the plain search %v:\n%s", model, n, reduced, expected, text)
		}
		if reduced {
			fitting++
		}
	}
	if all := drawn[model].histories; fitting < all/5 || fitting > all*4/5 {
		t.Errorf("%s: %d of %d fit", model, fitting, all)
	}
}

// draw writes calls in an order that the model allows, stretches them, and in most histories adds some that do not fit.
func draw[S any](t *testing.T, random *rand.Rand, model string, state S, step func(S, *Call) []S) string {
	lines := strings.Split(strings.ReplaceAll(drawn[model].lines, "\n", ";"), ";")
	history := strings.TrimSpace(drawn[model].first)
	for _, call := range calls(t, model, history) {
		state = step(state, call)[0]
	}
	// Few lines each time, so that their calls affect one another.
	random.Shuffle(len(lines), func(a, b int) { lines[a], lines[b] = lines[b], lines[a] })
	lines = lines[:4+random.Intn(6)]
	isSpoilt, width := random.Intn(4) > 0, 1+random.Intn(8)
	for at := 12; at < 40+random.Intn(20); at += 4 {
		for range 30 {
			line := strings.TrimSpace(lines[random.Intn(len(lines))])
			line = strings.ReplaceAll(line, "?", string(rune('a'+random.Intn(drawn[model].ids))))
			line = fmt.Sprint(at-random.Intn(width), endOf(random, line, at+random.Intn(width)), line)
			next := step(state, calls(t, model, line)[0])
			if len(next) > 0 {
				state = next[random.Intn(len(next))]
			}
			if len(next) > 0 || isSpoilt && random.Intn(3) == 0 {
				history += "\n" + line
				break
			}
		}
	}
	return history
}

func endOf(random *rand.Rand, line string, at int) string {
	answer := strings.Fields(line)[1]
	if strings.HasPrefix(answer, "5") || answer == "202" || answer == "cut" || strings.HasPrefix(line, "clock") && random.Intn(2) == 0 {
		return " - "
	}
	return fmt.Sprintf(" %d ", at)
}

func plainModelOf[S any](first S, step func(S, *Call) []S) porcupine.Model {
	model := porcupine.NondeterministicModel{
		Init: func() []any { return []any{first} },
		Step: func(state, input, _ any) []any {
			var next []any
			for _, one := range step(state.(S), input.(*Call)) {
				next = append(next, one)
			}
			return next
		},
		Equal: reflect.DeepEqual,
	}
	return model.ToModel()
}
