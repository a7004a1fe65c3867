import { type Queries, sql } from '@cobro/postgres/database.ts';

export interface Card {
  token: string;
  /** Null for a card that is good for one attempt. */
  customerId: string | null;
}

export const insertCard = (db: Queries, { token, customerId }: Card, savedBy: string): Promise<number> =>
  db.run(sql`
    insert into card (token, customer_id, saved_by) values (${token}, ${customerId}, ${savedBy})
    on conflict (token) do nothing`);

export const findCard = (db: Queries, token: string) =>
  db.maybe<Card>(sql`select token, customer_id as "customerId" from card where token = ${token}`);

/** Whether the charge with this key may use the card. One without a customer belongs to the first charge. */
export const useCard = async (db: Queries, token: string, key: string): Promise<boolean> =>
  (await db.run(sql`
    update card set spent_by = case when customer_id is null then ${key}::uuid end
    where token = ${token} and (spent_by is null or spent_by = ${key})`)) === 1;
