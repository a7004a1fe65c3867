import { type Queries, sql } from '@cobro/postgres/database.ts';

export interface Partner {
  id: string;
  name: string;
}

/** Returns 0 if the id is taken. */
export function insertPartner(db: Queries, partner: Partner): Promise<number> {
  return db.run(
    sql`insert into partners (id, name) values (${partner.id}, ${partner.name}) on conflict (id) do nothing`,
  );
}

export async function partnerExists(db: Queries, id: string): Promise<boolean> {
  return (await db.maybe(sql`select from partners where id = ${id}`)) !== undefined;
}

export const findPartner = (db: Queries, id: string) =>
  db.maybe<Partner>(sql`select id, name from partners where id = ${id}`);

export const listPartnersByName = (db: Queries, most: number) =>
  db.many<Partner>(sql`select id, name from partners order by lower(name), id limit ${most}`);

export function listAllPartners(db: Queries): Promise<(Partner & { createdAt: Date })[]> {
  return db.many(sql`select id, name, created_at as "createdAt" from partners order by created_at, id`);
}
