import type { Stripe } from 'stripe';
import { approve, decline, type Ending, unknown } from './answer.ts';
import type { Deps } from './deps.ts';
import { commitSending, findByReference, findMovers, type Operation } from './operation.store.ts';
import { keyUsedUp, repeat, type Sent, stripeKeyOf } from './repeats.ts';
import { readStripeError } from './stripe-error.rules.ts';

interface RefundRequest {
  original: string;
  amount: bigint;
}

/** Refunds a sale or a capture. */
export async function refundCharge(deps: Deps, operation: Operation, request: RefundRequest): Promise<Ending> {
  const { db } = deps;
  if (operation.sentAt !== null) return settleRefund(deps, operation, { mayRepeat: true });
  const moved = await findByReference(db, request.original, ['sale', 'capture']);
  if (moved === undefined || moved.intentId === null) {
    const held = await findByReference(db, request.original, ['authorize']);
    return decline(held === undefined ? 'unknown_reference' : 'not_captured');
  }
  if (request.amount > (moved.amount ?? 0n)) return decline('amount_exceeds_captured');
  if (!(await commitSending(db, operation.key, moved.intentId))) return unknown;
  return send(deps, { ...operation, intentId: moved.intentId });
}

/** What became of a refund that may have been sent: Stripe's list has our key, or it may be sent again while Stripe knows the key. */
export async function settleRefund(
  deps: Deps,
  operation: Operation,
  { mayRepeat }: { mayRepeat: boolean },
): Promise<Ending> {
  const found = await lookUp(deps, operation);
  if (found !== undefined) return found;
  if (!mayRepeat) return unknown;
  return repeat(deps, operation, {
    send: (attempt) => send(deps, attempt),
    lookAgain: async () => {
      const now = await lookUp(deps, operation);
      if (now !== undefined) return now;
      // Stripe gives back no more than was charged, so only a part could be given back twice.
      const [mover] = await findMovers(deps.db, [operation.intentId as string]);
      return mover?.amount === operation.amount ? 'may be sent afresh' : unknown;
    },
  });
}

async function send(deps: Deps, operation: Operation): Promise<Sent> {
  const { key, intentId, amount } = operation;
  try {
    const made = await deps.stripe.refunds.create(
      { payment_intent: intentId as string, amount: Number(amount), metadata: { operation: key } },
      { idempotencyKey: stripeKeyOf(operation) },
    );
    return endingBy(made);
  } catch (error) {
    const said = readStripeError(error);
    if (said.means === 'unknown') return said.hasFailed ? keyUsedUp : unknown;
    const found = await lookUp(deps, operation);
    return found ?? decline(boundOf(error) ?? said.declineCode, null, { text: said.text });
  }
}

/** Stripe has no code for a refund that is above what is left, but names the parameter. */
const boundOf = (error: unknown) =>
  (error as { param?: string }).param === 'amount' ? 'amount_exceeds_captured' : undefined;

/** The refund with our key; undefined if Stripe has none, and unknown if Stripe does not answer. */
async function lookUp({ stripe }: Deps, { key, intentId }: Operation): Promise<Ending | undefined> {
  try {
    const refunds = stripe.refunds.list({ payment_intent: intentId as string, limit: 100 });
    for await (const refund of refunds) if (refund.metadata?.['operation'] === key) return endingBy(refund);
    return undefined;
  } catch {
    return unknown;
  }
}

/**
 * A refund that fails after its approval stands in the report as `refund_failed`. If it failed before its answer was written down, it
 * is declined, and the report leaves it out.
 */
const endingBy = ({ id, status, created }: Stripe.Refund): Ending =>
  status === 'failed' || status === 'canceled' ? decline('refund_failed', id) : approve(id, { at: created });
