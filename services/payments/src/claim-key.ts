import { newId } from '@cobro/contracts/ids.ts';

/** For a claim that writes a payment or a card: equal for requests with one externalId, which compete; otherwise used once. */
export const claimKey = (organizationId: string, externalId: string | undefined): string =>
  externalId === undefined ? newId() : `${organizationId} ${externalId}`;
