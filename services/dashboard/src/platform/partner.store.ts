import { type Queries, sql } from '@cobro/postgres/database.ts';

export interface PartnerRow {
  id: string;
  organizations: number;
  /** The name of one organization. */
  example: string;
  owners: number;
  people: number;
}

/** A page of the partners that have organizations, by id. */
export const listPartners = (queries: Queries, after: string | null, most: number) =>
  queries.many<PartnerRow>(sql`
    select partner.*,
      (select count(*)::int from membership where scope = 'partner' and scope_id = partner.id and role = 'owner') as owners,
      (select count(*)::int from membership where scope = 'partner' and scope_id = partner.id) as people
    from (
      select partner_id as id, count(*)::int as organizations, min(name) as example from organization
      where partner_id is not null and (${after}::uuid is null or partner_id > ${after}::uuid)
      group by partner_id order by partner_id limit ${most}
    ) as partner
    order by partner.id`);

export const isPartner = async (queries: Queries, id: string): Promise<boolean> =>
  (await queries.maybe(sql`select from organization where partner_id = ${id} limit 1`)) !== undefined;
