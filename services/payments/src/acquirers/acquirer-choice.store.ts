import { DEFAULT_ACQUIRER } from '@cobro/contracts/acquirer-name.ts';
import { type Queries, sql } from '@cobro/postgres/database.ts';

/** Where the new cards of an organization go. */
export interface AcquirerChoice {
  acquirer: string;
  /** Where a card that is saved or pays a link goes, if the first vault provably got nothing. */
  fallback: string | null;
}

/** What operators have chosen for the organization, or the acquirer at `BANK_URL`. */
export async function findAcquirerChoice(queries: Queries, organizationId: string): Promise<AcquirerChoice> {
  const chosen = await queries.maybe<AcquirerChoice>(sql`
    select acquirer, fallback from acquirer_choice where organization_id = ${organizationId}`);
  return chosen ?? { acquirer: DEFAULT_ACQUIRER, fallback: null };
}
