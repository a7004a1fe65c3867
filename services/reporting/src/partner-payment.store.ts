import { allOf, type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import type { PartnerPaymentRow } from './partner-payment.rules.ts';
import type { PaymentRow } from './payment.rules.ts';
import { shown } from './payment.store.ts';

/** The filters of the partner list. An undefined filter excludes nothing. */
export interface PartnerPaymentFilters {
  id: string[] | undefined;
  organizationId: string[] | undefined;
  status: PaymentRow['status'][] | undefined;
  type: PaymentRow['type'][] | undefined;
  /** Whether the payment must have more than one term. */
  installments: boolean | undefined;
  terms: number[] | undefined;
  issuingBank: string[] | undefined;
  from: Date | undefined;
  to: Date | undefined;
  /** Parts of operation codes. */
  operationCode: string[] | undefined;
  /** Part of the organization's name, in upper or lower case, or of the amount in pesos. */
  search: string | undefined;
}

interface PartnerList {
  partnerId: string;
  filters: PartnerPaymentFilters;
}

/** Payments of all organizations of the partner, newest first. */
export function findPartnerPayments(
  queries: Queries,
  list: PartnerList & { limit: number; offset: number },
): Promise<PartnerPaymentRow[]> {
  const { partnerId, filters, limit, offset } = list;
  // Reads each organization by its index and merges, so that a page costs (organizations × rows up to the page's end) and not all
  // payments.
  return queries.many<PartnerPaymentRow>(sql`
    select ${shown}, owner_name as "organizationName"
    from (
      select page_id, owner_name from ${organizationsOf(partnerId)}
      cross join lateral (
        select id as page_id, created_at as page_time from payment where ${partnerConditions(filters)}
        order by created_at desc, id desc limit ${offset + limit}
      ) as newest
      order by page_time desc, page_id desc limit ${limit} offset ${offset}
    ) as page
    join payment on id = page_id
    order by created_at desc, id desc`);
}

export async function countPartnerPayments(queries: Queries, { partnerId, filters }: PartnerList): Promise<number> {
  const { count } = await queries.one<{ count: bigint }>(sql`
    select count(*) as count from ${organizationsOf(partnerId)} cross join payment where ${partnerConditions(filters)}`);
  return Number(count);
}

const organizationsOf = (partnerId: string) =>
  sql`(select id as owner_id, name as owner_name from organization where partner_id = ${partnerId}) as owner`;

/** A pattern that finds the text anywhere. Wildcards in the text are taken literally. */
const part = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function partnerConditions(filters: PartnerPaymentFilters): Sql {
  const { id, organizationId, status, type, installments, terms, issuingBank, from, to } = filters;
  const { operationCode, search } = filters;
  const conditions: (Sql | false | undefined)[] = [
    id && sql`id = any(${id})`,
    organizationId && sql`organization_id = any(${organizationId})`,
    status && sql`status = any(${status})`,
    type && sql`type = any(${type})`,
    installments !== undefined && sql`(terms > 1) = ${installments}`,
    terms && sql`terms = any(${terms})`,
    issuingBank && sql`issuing_bank = any(${issuingBank})`,
    from && sql`created_at >= ${from}`,
    to && sql`created_at <= ${to}`,
    operationCode && sql`operation_code::text like any(${operationCode.map(part)})`,
    search !== undefined &&
      sql`(owner_name ilike ${part(search)} or (amount * 0.01)::numeric(14, 2)::text like ${part(search)})`,
  ];
  const narrowed = allOf(conditions.filter((condition) => !!condition));
  return sql`organization_id = owner_id and status is not null and ${narrowed}`;
}
