import { FIRST_KEY } from '@cobro/events/retelling.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

/**
 * The payments about which an operation was settled at or after `since`, in pages. Every operation is looked at, in the order of
 * their keys, because only disasters ask for this and an index of that time would make every settlement dearer.
 */
export async function* paymentsSettledSince(
  queries: Queries,
  since: Date,
  page = 10_000,
): AsyncGenerator<string[], void> {
  for (let after: string | undefined = FIRST_KEY; after !== undefined;) {
    const { ids, last }: { ids: string[]; last: string | null } = await queries.one(sql`
      select coalesce(array_agg(distinct subject_id) filter (where settled_at >= ${since} and purpose <> 'save'), '{}') as ids,
        (array_agg(id order by id))[${page}::int] as last
      from (
        select id, subject_id, settled_at, purpose from bank_operation where id > ${after} order by id limit ${page}
      ) as looked_at`);
    if (ids.length > 0) yield ids;
    after = last ?? undefined;
  }
}
