import { pesosOf } from '@cobro/contracts/amount.ts';
import type { DataOf } from '@cobro/contracts/events.ts';
import type { OutwardIntent } from '@cobro/contracts/outward-events.ts';

type Facts = NonNullable<DataOf<'IntentConfirmed'>['intent']>;

interface Ending {
  status: OutwardIntent['status'];
  at: Date;
  supersededBy?: string;
}

/** An intent as it was when it ended. */
export const endedIntent = (id: string, facts: Facts, { status, at, supersededBy }: Ending): OutwardIntent => ({
  id,
  status,
  amount: pesosOf(facts.amount),
  currency: facts.currency,
  externalId: facts.externalId,
  redirectAppId: facts.redirectAppId,
  terminalId: facts.terminalId,
  createdAt: facts.createdAt.toISOString(),
  updatedAt: at.toISOString(),
  expired: facts.expiresAt <= at,
  supersededBy: supersededBy ?? null,
  paymentSummary: facts.payment,
});
