import type { DeveloperPayment } from '@cobro/contracts/developer-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Deps } from './deps.ts';
import { developerPayment } from './payment.rules.ts';
import { findPayment } from './payment.store.ts';

export async function readDeveloperPayment(
  deps: Deps,
  request: { organizationId: string; id: string },
): Promise<DeveloperPayment> {
  const row = await findPayment(deps.db, request.organizationId, request.id);
  if (row === undefined) {
    throw new Refusal('PAYMENT_NOT_FOUND', {
      message: 'There is no such payment, or it has no outcome yet: payments appear here once the bank has answered.',
    });
  }
  return developerPayment(row, deps.clock.now());
}
