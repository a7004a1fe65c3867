import type { Envelope } from '@cobro/contracts/events.ts';
import { type Database, type Queries, sql } from '@cobro/postgres/database.ts';

export const insertMissed = (queries: Queries, event: Envelope) =>
  queries.run(sql`
    insert into missed_hand_over (event_id, envelope) values (${event.id}, ${JSON.stringify(event)}::jsonb)
    on conflict (event_id) do nothing`);

export const hasMissed = async (queries: Queries): Promise<boolean> =>
  (await queries.one<{ found: boolean }>(sql`select exists (select from missed_hand_over) as found`)).found;

/** Takes events that are due for another hand-over. The next try is 0.2 s to 5 s later, a quarter of the time since they were missed. */
export const takeMissed = async (db: Database, limit: number): Promise<Envelope[]> => {
  const taken = await db.many<{ envelope: Envelope }>(sql`
    update missed_hand_over
    set try_at = clock_timestamp()
      + greatest(interval '0.2 seconds', least(interval '5 seconds', (clock_timestamp() - missed_at) / 4))
    where event_id = any(array(
      select event_id from missed_hand_over where try_at <= clock_timestamp()
      order by try_at limit ${limit} for update skip locked))
    returning envelope`);
  return taken.map(({ envelope }) => envelope);
};

export const removeMissed = (queries: Queries, eventId: string) =>
  queries.run(sql`delete from missed_hand_over where event_id = ${eventId}`);
