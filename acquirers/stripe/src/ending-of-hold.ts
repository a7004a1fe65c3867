import { setTimeout as sleep } from 'node:timers/promises';
import type { Stripe } from 'stripe';
import { approve, decline, type Ending, unknown } from './answer.ts';
import type { Deps, UnderWay } from './deps.ts';
import {
  closeSilent,
  closeUnsent,
  commitSending,
  decide,
  findByReference,
  type Operation,
  takeEnding,
} from './operation.store.ts';
import { keyUsedUp, repeat, type Sent, stripeKeyOf } from './repeats.ts';
import { readStripeError } from './stripe-error.rules.ts';

const expand = ['latest_charge.balance_transaction'];
const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 50;
/** Much longer than any request to Stripe runs. */
const OVER_AFTER_MINUTES = 10;

type HoldRequest = { kind: 'capture'; authorization: string; amount: bigint } | { kind: 'void'; authorization: string };

/** Captures or voids an authorization. */
export async function endHold(
  deps: Deps,
  underWay: UnderWay,
  operation: Operation,
  request: HoldRequest,
): Promise<Ending> {
  const { db } = deps;
  if (operation.sentAt !== null) return settleEnding(deps, operation, { mayRepeat: true });
  const held = await findByReference(db, request.authorization, ['authorize']);
  if (held === undefined || held.intentId === null) return decline('unknown_reference');
  if (request.kind === 'capture' && request.amount > (held.amount ?? 0n))
    return decline('amount_exceeds_authorization');
  const ending = await takeInTurn(deps, underWay, held.key, operation.key);
  if (ending !== undefined && ending.key !== operation.key) {
    if (!isDone(ending)) {
      return { is: 'not done', problem: 'retry', message: 'another capture or void of the authorization is under way' };
    }
    return decline(ending.kind === 'capture' ? 'already_captured' : 'already_voided');
  }
  if (!(await commitSending(db, operation.key, held.intentId))) return unknown;
  return send(deps, { ...operation, intentId: held.intentId });
}

const isDone = ({ answer }: Operation) => answer?.outcome === 'approved';

/** Waits for another capture or void under way, which mostly ends soon, so that there is an answer. */
async function takeInTurn(
  deps: Deps,
  underWay: UnderWay,
  authorization: string,
  key: string,
): Promise<Operation | undefined> {
  const { db } = deps;
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const ending = await takeEnding(db, authorization, key);
    const isOpen = ending !== undefined && ending.key !== key && !isDone(ending);
    if (!isOpen) return ending;
    if (performance.now() > until) {
      if (underWay.has(ending.key)) return ending;
      await settleLeft(deps, ending);
      return takeEnding(db, authorization, key);
    }
    await sleep(LOOK_AGAIN_MS);
  }
}

/**
 * Settles a capture or void that nobody inquires about any more, as after an operator resolved it. It is not repeated, because the
 * operator relies on it not being done. If Stripe still holds the money and all requests are over, it was not done and never will be.
 */
async function settleLeft(deps: Deps, left: Operation): Promise<void> {
  const { db } = deps;
  const { key, intentId, sentAt } = left;
  if (sentAt === null || intentId === null) return void (await closeUnsent(db, key));
  const seen = await look(deps, left, intentId);
  if (seen.is === 'decided') await decide(db, key, seen.answer);
  if (seen.isOpen === true) await closeSilent(db, key, OVER_AFTER_MINUTES);
}

/** What became of a capture or void that may have been sent. If it may be repeated, it is done in the end. */
export async function settleEnding(
  deps: Deps,
  operation: Operation,
  { mayRepeat }: { mayRepeat: boolean },
): Promise<Ending> {
  const { intentId } = operation;
  if (intentId === null) return unknown;
  const seen = await look(deps, operation, intentId);
  if (seen.is !== 'unknown' || !mayRepeat) return seen;
  return repeat(deps, operation, {
    send: (attempt) => send(deps, attempt),
    lookAgain: async () => {
      const now = await look(deps, operation, intentId);
      // Stripe captures or cancels an intent once, whatever the key.
      return now.isOpen === true ? 'may be sent afresh' : now;
    },
  });
}

async function send(deps: Deps, operation: Operation): Promise<Sent> {
  const { stripe } = deps;
  const { kind, intentId, amount } = operation;
  const id = intentId as string;
  const options = { idempotencyKey: stripeKeyOf(operation) };
  try {
    const intent =
      kind === 'capture'
        ? await stripe.paymentIntents.capture(id, { amount_to_capture: Number(amount), expand }, options)
        : await stripe.paymentIntents.cancel(id, { expand }, options);
    return endingBy(kind, intent, amount);
  } catch (error) {
    const said = readStripeError(error);
    // The other request is the earlier release's, which asked Stripe to show less.
    if (said.means === 'unknown') return said.hasFailed || said.isOfAnotherRequest ? keyUsedUp : unknown;
    // Stripe refused. The intent shows whether this was done before or cannot be done.
    const seen = await look(deps, { kind, amount }, id);
    return seen.isOpen === true ? decline(said.declineCode, null, { text: said.text }) : seen;
  }
}

async function look(
  { stripe }: Deps,
  { kind, amount }: Pick<Operation, 'kind' | 'amount'>,
  intentId: string,
): Promise<Ending & { isOpen?: boolean }> {
  try {
    const intent = await stripe.paymentIntents.retrieve(intentId, { expand });
    return { ...endingBy(kind, intent, amount), isOpen: intent.status === 'requires_capture' };
  } catch {
    return unknown;
  }
}

/** What the intent shows of the one operation that has taken it. If money moved otherwise than we asked, a person decides. */
function endingBy(kind: Operation['kind'], intent: Stripe.PaymentIntent, amount: bigint | null): Ending {
  const charge = intent.latest_charge as Stripe.Charge | null;
  if (intent.status === 'succeeded' && kind === 'void') return decline('already_captured');
  if (intent.status === 'succeeded') {
    const isAsAsked = BigInt(intent.amount_received ?? -1) === amount && charge !== null;
    return isAsAsked ? approve(charge.id, { at: movedAt(charge) }) : unknown;
  }
  if (intent.status !== 'canceled') return unknown;
  if (kind === 'capture') return decline('expired');
  return intent.cancellation_reason === 'automatic' || intent.cancellation_reason === 'expired'
    ? decline('already_expired')
    : approve(intent.id, { at: intent.canceled_at });
}

/** The time in the settlement report. The charge itself was made when the money was held. */
const movedAt = ({ balance_transaction: moved }: Stripe.Charge) =>
  typeof moved === 'object' ? moved?.created : undefined;
