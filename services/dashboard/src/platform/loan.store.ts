import { type Queries, sql, type Tx } from '@cobro/postgres/database.ts';

export interface Loan {
  id: string;
  until: Date;
}

/** The open loan that ends last. */
export const findLoan = (queries: Queries, organizationId: string, now: Date) =>
  queries.maybe<Loan>(sql`
    select id, until from loan where organization_id = ${organizationId} and ended_at is null and until > ${now}
    order by until desc limit 1`);

export const insertLoan = (tx: Tx, loan: Loan & { organizationId: string; lentBy: string; lentAt: Date }) =>
  tx.run(sql`
    insert into loan (id, organization_id, lent_by, lent_at, until)
    values (${loan.id}, ${loan.organizationId}, ${loan.lentBy}, ${loan.lentAt}, ${loan.until})`);

/** Ends an organization's loans, and deletes their looks with the sessions. */
export async function endLoans(tx: Tx, organizationId: string, now: Date): Promise<number> {
  tx.send(sql`
    delete from membership where scope = 'organization' and scope_id = ${organizationId} and lent_until is not null`);
  return tx.run(sql`
    update loan set ended_at = ${now} where organization_id = ${organizationId} and ended_at is null and until > ${now}`);
}

/** Ends the looks of a person who left the platform. */
export const endLooks = (queries: Queries, personId: string) =>
  queries.run(sql`delete from membership where person_id = ${personId} and lent_until is not null`);

export const insertLook = (
  tx: Tx,
  {
    id,
    personId,
    organizationId,
    until,
    now,
  }: { id: string; personId: string; organizationId: string; until: Date; now: Date },
) =>
  tx.run(sql`
    insert into membership (id, person_id, scope, scope_id, role, created_at, lent_until)
    values (${id}, ${personId}, 'organization', ${organizationId}, 'read-only', ${now}, ${until})`);

export const pruneLooks = (queries: Queries) =>
  queries.run(sql`delete from membership where lent_until < clock_timestamp()`);

export interface OrganizationRow {
  id: string;
  name: string;
  owners: number;
  people: number;
  lentUntil: Date | null;
}

/** A page of organizations, by name. `q`: a part of the name, or an id. */
export const listOrganizations = (
  queries: Queries,
  { q, after, most }: { q: string; after: string; most: number },
  now: Date,
) =>
  queries.many<OrganizationRow>(sql`
    select organization.id, organization.name,
      (select count(*)::int from membership where scope = 'organization' and scope_id = organization.id and role = 'owner') as owners,
      (select count(*)::int from membership where scope = 'organization' and scope_id = organization.id and lent_until is null) as people,
      (select max(until) from loan where organization_id = organization.id and ended_at is null and until > ${now}) as "lentUntil"
    from organization
    where (${q} = '' or position(lower(${q}) in lower(organization.name)) > 0 or organization.id::text = ${q})
      and organization.name || ' ' || organization.id > ${after}
    order by organization.name || ' ' || organization.id limit ${most}`);
