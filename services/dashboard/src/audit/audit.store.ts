import type { FeeChange } from '@cobro/contracts/fee-channels.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { dayEnd, dayStart } from '@cobro/domain/mexico-city.ts';
import { type Queries, type Sql, sql } from '@cobro/postgres/database.ts';
import { type Audited, formerNames } from '@cobro/dashboard/settings/audited-words.ts';
import type { Scope } from '../people/roles.rules.ts';
import type { AuditFilters } from './audit-filters.ts';

export interface AuditEntry {
  /** Null if nobody has signed in, or an operator's command acts. */
  personId: string | null;
  scope: Scope | null;
  what: Audited;
  target?: string | null;
  outcome: 'asked' | 'answered' | 'done' | 'failed';
  askedId?: string;
  status?: number;
  code?: string;
  /** Rows of a fee table. In an `asked` entry `before` is null. */
  fees?: readonly FeeChange[];
  address?: string;
  requestId?: string;
}

/** Inserts a row, which nothing changes or deletes afterwards, and gives its id. */
export async function recordAudit(queries: Queries, entry: AuditEntry): Promise<string> {
  const { personId, scope, what, target, outcome, askedId, status, code, fees, address, requestId } = entry;
  const now = new Date();
  const id = newId(now.getTime());
  await queries.run(sql`
    insert into audit (id, at, person_id, scope, scope_id, what, target, outcome, asked_id, status, code, fees, address, request_id)
    values (${id}, ${now}, ${personId}, ${scope?.kind ?? null}, ${scope?.id ?? null}, ${what}, ${target ?? null},
      ${outcome}, ${askedId ?? null}, ${status ?? null}, ${code ?? null},
      ${fees === undefined ? null : JSON.stringify(fees)}, ${address ?? null}, ${requestId ?? null})`);
  return id;
}

const ASKED_FOR_MS = 5 * 60_000;

/** Whether the person's newest row of this kind is five minutes old at most, and asks for the same from the same address. */
export const isAskedAlready = async (
  queries: Queries,
  { personId, what, target, address }: AuditEntry,
  now: Date,
): Promise<boolean> => {
  const newest = await queries.maybe<{ isAsked: boolean }>(sql`
    select outcome = 'asked' and target = ${target ?? null} and address is not distinct from ${address ?? null} as "isAsked"
    from audit where person_id = ${personId} and what = ${what} and id > ${newId(now.getTime() - ASKED_FOR_MS)}
    order by id desc limit 1`);
  return newest?.isAsked === true;
};

/**
 * Actions of the last day that have no answered row after two minutes. Step-ups and exports do not count: a person may leave a step-up, and
 * a download may take longer.
 */
export const countUnanswered = async (queries: Queries, now: Date): Promise<number> =>
  (
    await queries.one<{ count: number }>(sql`
      select count(*)::int as count from audit as asked
      where asked.outcome = 'asked' and asked.what <> 'step-up' and asked.what not like 'export.%'
        and asked.at between ${now}::timestamptz - interval '1 day' and ${now}::timestamptz - interval '2 minutes'
        and not exists (select from audit as answer where answer.asked_id = asked.id)`)
  ).count;

export interface AuditRow {
  id: string;
  at: Date;
  personName: string | null;
  what: string;
  target: string | null;
  outcome: AuditEntry['outcome'];
  status: number | null;
  code: string | null;
  fees: FeeChange[] | null;
  address: string | null;
  requestId: string | null;
}

export interface AuditPage extends AuditFilters {
  scope: Scope;
  /** The id of the last row of the page before. */
  before: string | undefined;
  most: number;
}

/**
 * Rows of a scope, newest first, with rows without a scope (sign-ins, own account) of people who belong to this scope only. Such rows of
 * other people concern more than this scope.
 */
export function listAudit(queries: Queries, { scope, before, what, personId, from, to, most }: AuditPage) {
  const former = Object.keys(formerNames).filter((name) => what && formerNames[name]?.startsWith(`${what}.`));
  const filters = sql`
    (${before ?? null}::uuid is null or audit.id < ${before ?? null}::uuid)
      and (${what ?? null}::text is null or what like ${what ?? null} || '.%' or what = ${what ?? null}::text
        or what = any(${former}::text[]))
      and (${personId ?? null}::uuid is null or audit.person_id = ${personId ?? null}::uuid)
      and (${from ?? null}::text is null or at >= ${from === undefined ? null : dayStart(from)}::timestamptz)
      and (${to ?? null}::text is null or at < ${to === undefined ? null : dayEnd(to)}::timestamptz)
    order by audit.id desc limit ${most}`;
  // Each part is read from the end of an index: audit_of_scope, and audit_of_person for each member.
  return queries.many<AuditRow>(sql`
    select audit.id, at, person.name as "personName", what, target, outcome, status, code, fees, address,
      request_id as "requestId"
    from (
      (select audit.* from audit where audit.scope = ${scope.kind} and ${isIn(sql`audit.scope_id`, scope)} and ${filters})
      union all
      (select own.* from membership as member cross join lateral (
          select audit.* from audit where audit.scope is null and audit.person_id = member.person_id and ${filters}) as own
        where member.scope = ${scope.kind} and ${isIn(sql`member.scope_id`, scope)} and not exists (
          select from membership as other where other.person_id = member.person_id and other.id <> member.id)
        order by own.id desc limit ${most})
    ) as audit left join person on person.id = audit.person_id
    order by audit.id desc limit ${most}`);
}

const isIn = (column: Sql, { id }: Scope) => (id === null ? sql`${column} is null` : sql`${column} = ${id}`);
