import type { PartnerPaymentQuery } from '@cobro/contracts/partner-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { listPartnerPayments as contract } from '@cobro/contracts/routes/payment-reads.ts';
import { ok } from '@cobro/service-kit/answer.ts';
import type { Deps } from './deps.ts';
import { findOrganizationsOf } from './organization.store.ts';
import { findPartnerPage, type PartnerFilters } from './partner-page.ts';
import { partnerPayment, searchOf, statusesShownAs } from './partner-payment.rules.ts';
import { findShown } from './partner-payment.store.ts';
import { findTakenAt } from './registry.store.ts';
import { timeRange } from '@cobro/domain/time-range.ts';

export const listPartnerPayments = (deps: Deps, input: InputOf<typeof contract>): Promise<AnswerOf<typeof contract>> =>
  deps.reads.partners.inTurn(input.caller.partnerId, () => readPage(deps, input));

async function readPage(
  { reads: { partners } }: Deps,
  { caller, query }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { limit, offset, organizationId } = query;
  const names = new Map(
    (await findOrganizationsOf(partners, caller.partnerId)).map(({ id, name }) => [id, name] as const),
  );
  const asked = organizationId && new Set(organizationId);
  // Another partner's organization and one that does not exist are refused in the same way.
  if (asked && ![...asked].every((id) => names.has(id))) throw new Refusal('FORBIDDEN');
  const organizations = [...names].flatMap(([id, name]) =>
    asked === undefined || asked.has(id) ? [{ id, name }] : [],
  );

  const page = await findPartnerPage(partners, filtersOf(query, organizations), { offset, limit });
  const found = page.ids.length === 0 ? [] : await findShown(partners, page.ids);
  const rows = found.map((row) => ({ ...row, organizationName: names.get(row.organizationId) ?? '' }));
  const takenAt = await findTakenAt(partners, rows);
  const data = rows.map((row) => partnerPayment(row, takenAt));
  const answer = ok({ data, pagination: { limit, offset, count: page.count } });
  return page.capped ? { ...answer, headers: { 'X-Count-Capped': 'true' } } : answer;
}

function filtersOf(query: PartnerPaymentQuery, organizations: { id: string; name: string }[]): PartnerFilters {
  const { id, status, type, financingMethod, terms, issuingBank, operationCode, search } = query;
  return {
    organizations: organizations.map((organization) => organization.id),
    ids: id,
    kinds: {
      status: status && statusesShownAs(status),
      type,
      installments: installments(financingMethod),
      terms,
      issuingBank,
    },
    ...timeRange(query),
    search: searchOf(operationCode ?? [], search, organizations),
  };
}

function installments(methods: PartnerPaymentQuery['financingMethod']): boolean | undefined {
  const asked = new Set(methods);
  return asked.size === 1 ? asked.has('INSTALLMENTS') : undefined;
}
