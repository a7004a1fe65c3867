import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listOneTimePayments as contract } from '@cobro/contracts/routes/one-time-payments.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showOneTimePayment } from './one-time-payment.rules.ts';
import { listLinks } from './one-time-payment.store.ts';

/** GET /one-time-payment: newest first. There is one currency, so the currency filter is ignored. */
export async function listOneTimePayments(
  deps: Deps,
  { caller, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { page, pageSize, status } = query;
  const { organizationId } = caller;
  const { count, rows } = await deps.reads.inTurn(organizationId, () =>
    listLinks(deps.reads, { organizationId, status, page, pageSize }),
  );
  return ok({ count, page, pageSize, items: rows.map(showOneTimePayment) });
}
