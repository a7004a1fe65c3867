import { pesosOf } from '@cobro/contracts/amount.ts';
import type { CallerOf } from '@cobro/contracts/caller.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { nextPaymentIntent as contract } from '@cobro/contracts/routes/payment-intents.ts';
import type { Deps } from '../deps.ts';
import { announceEnd } from '../intents/announce-end.ts';
import { traceShown } from '../intents/intent-trace.ts';
import type { PaymentIntentRow } from '../intents/payment-intent.row.ts';
import { isExpired } from '../intents/payment-intent.rules.ts';
import { bindUnassigned, closeExpiredOf, listPending, unassignedExists } from '../intents/payment-intent.store.ts';
import { findOrganization } from '../organizations/organization.store.ts';
import { noteSeen } from '../registry/note-seen.ts';
import { lockTerminal } from '../registry/terminal.store.ts';
import type { Look } from './waiting-terminals.ts';

type Terminal = CallerOf<'terminal'>;

/** GET /terminal/v1/payment-intent/next: 200 the intent, from now on bound to this terminal; 204 if none came in time. */
export async function nextPaymentIntent(
  deps: Deps,
  { caller, query, onceLeft }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { terminalId, organizationId } = caller;
  noteSeen(deps, terminalId);
  const intent = await deps.waitingTerminals.wait({
    terminalId,
    organizationId,
    waitMs: query.waitSeconds * 1_000,
    look: () => lookForNext(deps, caller),
    onceLeft,
  });
  if (intent === undefined) return { status: 204 };
  traceShown(intent.trace);
  const organization = await findOrganization(deps.db, organizationId);
  return {
    status: 200,
    body: {
      id: intent.id,
      amount: pesosOf(intent.amount),
      currency: intent.currency,
      externalId: intent.externalId,
      redirectAppId: intent.redirectAppId,
      organization: { name: organization?.name ?? '' },
      createdAt: intent.createdAt.toISOString(),
      expiresAt: intent.expiresAt.toISOString(),
    },
  };
}

/** Finds the terminal's own open intent, else takes the organization's oldest that is unassigned. */
async function lookForNext(deps: Deps, terminal: Terminal): Promise<Look<PaymentIntentRow>> {
  const { terminalId, organizationId } = terminal;
  const now = deps.clock.now();
  const pending = await listPending(deps.db, terminalId);
  if (pending.some(({ chargingPaymentId }) => chargingPaymentId !== null)) return 'nothing';
  const [own] = pending;
  if (own !== undefined && !isExpired(own, now)) return { intent: own, wasUnassigned: false };
  const mayTake = await unassignedExists(deps.db, organizationId, now);
  if (own === undefined && !mayTake) return 'none left';
  return bindNext(deps, terminal, now);
}

const bindNext = (deps: Deps, { terminalId, organizationId }: Terminal, now: Date): Promise<Look<PaymentIntentRow>> =>
  deps.db.inTransaction(async (tx) => {
    await lockTerminal(tx, terminalId);
    for (const row of await closeExpiredOf(tx, terminalId, now)) announceEnd(deps, tx, row);
    // Read again under the lock: another request of this terminal may have bound one, or a card may be being charged by now.
    const pending = await listPending(tx, terminalId);
    if (pending.some(({ chargingPaymentId }) => chargingPaymentId !== null)) return 'nothing';
    const [own] = pending;
    if (own !== undefined) return { intent: own, wasUnassigned: false };
    const bound = await bindUnassigned(tx, { terminalId, organizationId, now });
    return bound === undefined ? 'none left' : { intent: bound, wasUnassigned: true };
  });
