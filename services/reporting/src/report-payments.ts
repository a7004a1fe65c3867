import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { reportPayments as contract } from '@cobro/contracts/routes/reports.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import { cursorPage, readCursor } from '@cobro/service-kit/list-cursor.ts';
import type { Deps } from './deps.ts';
import { findPayments, type PaymentFilters } from './payment.store.ts';
import { filtersOf } from './report-filters.ts';
import { reportedPayment } from './reported-payment.rules.ts';

/** GET /report/payment */
export async function reportPayments(
  { reads: { merchants }, cursorKeys }: Deps,
  { caller: { organizationId }, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { limit, cursor, ...asked } = query;
  const filters = filtersOf(asked);
  const list = { name: 'report-payments', organizationId, filters: inText(filters) };
  const after = cursor === undefined ? undefined : readCursor(cursorKeys, list, cursor);
  const rows = await merchants.inTurn(organizationId, () =>
    findPayments(merchants, { organizationId, filters, after, limit: limit + 1 }),
  );
  return ok(cursorPage(cursorKeys, list, { limit, after, rows, show: reportedPayment }));
}

/** The filters as a cursor signs them: JSON has no bigint. */
type InText = { [Name in keyof PaymentFilters]: Exclude<PaymentFilters[Name], bigint> | string };

const inText = ({ amountFrom, amountTo, ...rest }: PaymentFilters): InText => ({
  ...rest,
  amountFrom: amountFrom?.toString(),
  amountTo: amountTo?.toString(),
});
