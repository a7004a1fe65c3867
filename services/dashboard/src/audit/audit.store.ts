import { newId } from '@cobro/contracts/ids.ts';
import { dayEnd, dayStart } from '@cobro/domain/mexico-city.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';
import type { Scope } from '../people/roles.rules.ts';
import type { AuditFilters } from './audit-filters.ts';

export interface AuditEntry {
  /** Null where nobody has signed in, or an operator acts by a command. */
  personId: string | null;
  scope: Scope | null;
  what: string;
  target?: string | null;
  outcome: 'asked' | 'answered' | 'done' | 'failed';
  askedId?: string;
  status?: number;
  code?: string;
  address?: string;
  requestId?: string;
}

/** Inserts a row, which nothing changes or deletes afterwards, and gives its id. */
export async function recordAudit(queries: Queries, entry: AuditEntry): Promise<string> {
  const { personId, scope, what, target, outcome, askedId, status, code, address, requestId } = entry;
  const now = new Date();
  const id = newId(now.getTime());
  await queries.run(sql`
    insert into audit (id, at, person_id, scope, scope_id, what, target, outcome, asked_id, status, code, address, request_id)
    values (${id}, ${now}, ${personId}, ${scope?.kind ?? null}, ${scope?.id ?? null}, ${what}, ${target ?? null},
      ${outcome}, ${askedId ?? null}, ${status ?? null}, ${code ?? null}, ${address ?? null}, ${requestId ?? null})`);
  return id;
}

/** Actions of the last day that were sent two minutes ago or earlier, and whose answer is not written down. A step-up may be left. */
export const countUnanswered = async (queries: Queries, now: Date): Promise<number> =>
  (
    await queries.one<{ count: number }>(sql`
      select count(*)::int as count from audit as asked
      where asked.outcome = 'asked' and asked.what <> 'step-up'
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
  address: string | null;
  requestId: string | null;
}

interface AuditPage extends AuditFilters {
  scope: Scope;
  /** The id of the last row of the page before. */
  before: string | undefined;
  most: number;
}

/**
 * Of a scope, the newest first, with what the people did outside of all scopes who belong here alone: signing in, and their own account. Of
 * others that concerns more than this scope.
 */
export const listAudit = (queries: Queries, { scope, before, what, personId, from, to, most }: AuditPage) =>
  queries.many<AuditRow>(sql`
    select audit.id, at, person.name as "personName", what, target, outcome, status, code, address, request_id as "requestId"
    from audit left join person on person.id = audit.person_id
    where (audit.scope = ${scope.kind} and audit.scope_id is not distinct from ${scope.id}
        or audit.scope is null and audit.person_id in (
          select member.person_id from membership as member
          where member.scope = ${scope.kind} and member.scope_id is not distinct from ${scope.id} and not exists (
            select from membership as other where other.person_id = member.person_id and other.id <> member.id)))
      and (${before ?? null}::uuid is null or audit.id < ${before ?? null}::uuid)
      and (${what ?? null}::text is null or what like ${what ?? null} || '.%' or what = ${what ?? null}::text)
      and (${personId ?? null}::uuid is null or audit.person_id = ${personId ?? null}::uuid)
      and (${from ?? null}::text is null or at >= ${from === undefined ? null : dayStart(from)}::timestamptz)
      and (${to ?? null}::text is null or at < ${to === undefined ? null : dayEnd(to)}::timestamptz)
    order by audit.id desc limit ${most}`);
