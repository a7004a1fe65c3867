import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createPaymentIntent as contract } from '@cobro/contracts/routes/payment-intents.ts';
import type { Tx } from '@cobro/postgres/database.ts';
import { createOnce } from '@cobro/service-kit/create-once.ts';
import type { Deps } from '../deps.ts';
import { announceEnd } from './announce-end.ts';
import { findTerminalBySerial, lockTerminal } from '../registry/terminal.store.ts';
import { notify } from '../terminals/notices.ts';
import { currentTrace } from './intent-trace.ts';
import type { PaymentIntentRow } from './payment-intent.row.ts';
import { sameRequest, showCreated } from './payment-intent.rules.ts';
import { findByExternalId, insertIntent, supersedeAll } from './payment-intent.store.ts';

type Asked = ReturnType<InputOf<typeof contract>['readBody']>;

/**
 * POST /payment-intent: 201 PENDING. With terminalCode it supersedes what is pending for that terminal, in one transaction.
 * Repeating the same request under its externalId makes nothing and supersedes nothing.
 */
export async function createPaymentIntent(
  deps: Deps,
  { caller, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const asked = readBody();
  return createOnce({
    key: asked.externalId,
    find: (externalId) => findByExternalId(deps.db, organizationId, externalId),
    isSame: (row) => sameRequest(row, asked),
    insert: async () => {
      const terminalId = await terminalOf(deps, organizationId, asked.terminalCode);
      return create(deps, { organizationId, terminalId, asked }).catch((error: unknown) => {
        if (error instanceof ExternalIdTaken) return undefined;
        throw error;
      });
    },
    show: showCreated,
  });
}

async function terminalOf(deps: Deps, organizationId: string, code: string | undefined): Promise<string | null> {
  if (code === undefined) return null;
  const terminal = await findTerminalBySerial(deps.db, organizationId, code);
  if (terminal === undefined) throw new Refusal('TERMINAL_NOT_FOUND');
  return terminal.id;
}

class ExternalIdTaken extends Error {}

interface NewIntent {
  organizationId: string;
  terminalId: string | null;
  asked: Asked;
}

function create(deps: Deps, { organizationId, terminalId, asked }: NewIntent): Promise<PaymentIntentRow> {
  const now = deps.clock.now();
  const id = newId(now.getTime());
  return deps.db.inTransaction(async (tx) => {
    if (terminalId !== null) await supersede(deps, tx, { terminalId, by: id, now });
    const row = await insertIntent(tx, {
      id,
      organizationId,
      terminalId,
      externalId: asked.externalId,
      terminalCode: asked.terminalCode ?? null,
      redirectAppId: asked.redirectAppId ?? null,
      amount: asked.amount,
      currency: asked.currency,
      trace: currentTrace(),
      createdAt: now,
      expiresAt: new Date(now.getTime() + deps.lifetimeMs),
      updatedAt: now,
    });
    // Throws, so that nothing stays superseded by an intent that was not made.
    if (row === undefined) throw new ExternalIdTaken();
    notify(tx, terminalId === null ? { organization: organizationId } : { terminal: terminalId });
    return row;
  });
}

async function supersede(deps: Deps, tx: Tx, { terminalId, by, now }: { terminalId: string; by: string; now: Date }) {
  await lockTerminal(tx, terminalId);
  // An intent whose card is being charged is only marked: the charge's outcome decides.
  for (const row of await supersedeAll(tx, terminalId, by, now)) announceEnd(deps, tx, row);
}
