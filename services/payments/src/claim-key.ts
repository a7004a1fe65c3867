import { newId } from '@cobro/contracts/ids.ts';

/** The key of a claim that writes a payment or a card: requests with one externalId compete for it, others have a key of their own. */
export const claimKey = (organizationId: string, externalId: string | undefined): string =>
  externalId === undefined ? newId() : `${organizationId} ${externalId}`;
