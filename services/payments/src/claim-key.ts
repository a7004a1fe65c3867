import { newId } from '@cobro/contracts/ids.ts';

/**
 * The key of a claim that makes a payment or a card. Requests with one externalId compete for it, and what has none competes with
 * nobody.
 */
export const claimKey = (organizationId: string, externalId: string | undefined): string =>
  externalId === undefined ? newId() : `${organizationId} ${externalId}`;
