import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listPaymentLinks as contract } from '@cobro/contracts/routes/payment-links.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from '../deps.ts';
import { showPaymentLink } from './payment-link.rules.ts';
import { listLinks } from './payment-link.store.ts';

/** GET /payment-link: newest first. */
export async function listPaymentLinks(
  deps: Deps,
  { caller, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { page, pageSize, status } = query;
  const { organizationId } = caller;
  const { count, rows } = await deps.reads.inTurn(organizationId, () =>
    listLinks(deps.reads, { organizationId, status, now: deps.clock.now(), page, pageSize }),
  );
  return ok({ count, page, pageSize, items: rows.map((row) => showPaymentLink(row, deps.checkoutBaseUrl)) });
}
