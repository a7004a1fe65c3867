import { randomUUID } from 'node:crypto';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { z } from 'zod';
import type { ExecuteDeps } from './execute-operation.ts';
import type { dispute } from './requests.ts';

/** For tests: a payer disputes a charge, and the bank takes the money back. The merchant is not asked. */
export function disputeOperation({ ledger, now }: ExecuteDeps, { about, amount }: z.output<typeof dispute>) {
  const operation = ledger.operation(about);
  const isCharge = operation?.kind === 'sale' || operation?.kind === 'capture';
  if (!isCharge || operation.outcome !== 'approved' || (operation.amount ?? 0n) < amount) {
    throw new Refusal('VALIDATION_ERROR', { message: `${about} is no charge of that much` });
  }
  const id = `dp_${randomUUID()}`;
  ledger.addDispute({ id, about, amount, reference: id, createdAt: now() });
  return { id };
}
