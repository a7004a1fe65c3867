import type { OpenOperation } from '@cobro/bank/journal.store.ts';
import { parseEnvelope } from '@cobro/contracts/events.ts';
import { type HoldAnswer, holdAnswer } from '@cobro/contracts/hold-questions.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { eventHandlers } from '@cobro/events/event-handlers.ts';
import { receiveEvent } from '@cobro/events/inbox.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import type { Deps } from './deps.ts';
import type { HoldRow } from './hold.row.ts';
import { lockHold, type NamedHold } from './hold.store.ts';
import { onHoldPlaced } from './on-hold-placed.ts';

const handlers = eventHandlers({ HoldPlaced: onHoldPlaced });

/** How a request claims on its hold. Both may refuse. */
export interface HoldClaim<Body, T> {
  /** Checks the body, which comes after the hold is found and before its state is looked at. */
  readBody: () => Body;
  claim: (tx: Tx, locked: { hold: HoldRow; open: OpenOperation | undefined; body: Body }) => T;
}

/**
 * Locks the hold that is named, and claims on it. If holds does not have it, payments knows why, or tells of a placement that has not
 * reached holds yet. Throws the 404 and the 400.
 */
export async function claimOnHold<Body, T>(
  deps: Deps,
  named: NamedHold,
  deadline: number,
  { readBody, claim }: HoldClaim<Body, T>,
): Promise<T> {
  const claimIfKnown = () =>
    deps.db.inSharedTransaction(named.paymentId, async (tx) => {
      const [hold, open] = await Promise.all([lockHold(tx, named), deps.journal.openOperation(tx, named.paymentId)]);
      return hold && { claimed: claim(tx, { hold, open, body: readBody() }) };
    });
  const known = (await claimIfKnown()) ?? ((await learnOf(deps, named, deadline)) ? await claimIfKnown() : undefined);
  if (known !== undefined) return known.claimed;
  readBody();
  throw new Refusal('PAYMENT_NOT_HELD');
}

/** False for a payment that is not held. */
async function learnOf(deps: Deps, named: NamedHold, deadline: number): Promise<boolean> {
  const told = await askPayments(deps, named, deadline);
  if (told.kind === 'hold') {
    await receiveEvent(deps.db, handlers, parseEnvelope(told.event));
    return true;
  }
  if (told.code === 'PAYMENT_NOT_HELD') return false;
  throw new Refusal(told.code);
}

async function askPayments(deps: Deps, { paymentId, ...query }: NamedHold, deadline: number): Promise<HoldAnswer> {
  const path = `/internal/payments/${paymentId}?${new URLSearchParams(query).toString()}`;
  const json = await deps.payments.get(path, deadline);
  return holdAnswer.parse(json);
}
