import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listPartnerPayments as contract } from '@cobro/contracts/routes/payment-reads.ts';
import type { PartnerPaymentQuery } from '@cobro/contracts/partner-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { areOrganizationsOf } from './organization.store.ts';
import { partnerPayment, statusesShownAs } from './partner-payment.rules.ts';
import { countPartnerPayments, findPartnerPayments, type PartnerPaymentFilters } from './partner-payment.store.ts';
import { findTakenAt } from './registry.store.ts';
import { timeRange } from './time-range.rules.ts';

export async function listPartnerPayments(
  { db }: Deps,
  { caller, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { partnerId } = caller;
  const { limit, offset, organizationId } = query;
  // Another partner's organization and one that does not exist are refused in the same way.
  if (organizationId && !(await areOrganizationsOf(db, partnerId, organizationId))) throw new Refusal('FORBIDDEN');
  const list = { partnerId, filters: filtersOf(query) };
  const [rows, count] = await Promise.all([
    findPartnerPayments(db, { ...list, limit, offset }),
    countPartnerPayments(db, list),
  ]);
  const takenAt = await findTakenAt(db, rows);
  return ok({ data: rows.map((row) => partnerPayment(row, takenAt)), pagination: { limit, offset, count } });
}

function filtersOf(query: PartnerPaymentQuery): PartnerPaymentFilters {
  const { id, organizationId, type, terms, issuingBank, operationCode, search } = query;
  return {
    id,
    organizationId,
    status: query.status && statusesShownAs(query.status),
    type,
    installments: installments(query.financingMethod),
    terms,
    issuingBank,
    ...timeRange(query),
    operationCode,
    search,
  };
}

function installments(methods: PartnerPaymentQuery['financingMethod']): boolean | undefined {
  const asked = new Set(methods);
  return asked.size === 1 ? asked.has('INSTALLMENTS') : undefined;
}
