import { DEFAULT_ACQUIRER } from '@cobro/contracts/acquirer-name.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Where the new cards of an organization go. */
export interface AcquirerChoice {
  acquirer: string;
  /** The acquirer of a card that is saved or pays a link, if the first vault provably got nothing. */
  fallback: string | null;
}

/** The operators' choice for the organization, or the acquirer at `BANK_URL`. */
export async function findAcquirerChoice(queries: Queries, organizationId: string): Promise<AcquirerChoice> {
  const chosen = await queries.maybe<AcquirerChoice>(sql`
    select acquirer, fallback from acquirer_choice where organization_id = ${organizationId}`);
  return chosen ?? { acquirer: DEFAULT_ACQUIRER, fallback: null };
}

export const chooseAcquirer = (queries: Queries, organizationId: string, { acquirer, fallback }: AcquirerChoice) =>
  queries.run(sql`
    insert into acquirer_choice (organization_id, acquirer, fallback) values (${organizationId}, ${acquirer}, ${fallback})
    on conflict (organization_id) do update
    set acquirer = excluded.acquirer, fallback = excluded.fallback, chosen_at = clock_timestamp()`);

/** Counts the organizations for which each acquirer is chosen. */
export async function countAcquirerChoices(queries: Queries): Promise<Map<string, number>> {
  const counts = await queries.many<{ acquirer: string; count: number }>(sql`
    select acquirer, count(*)::int as count from acquirer_choice group by acquirer`);
  return new Map(counts.map(({ acquirer, count }) => [acquirer, count]));
}
