import type { Deps } from '../deps.ts';
import type { Maker } from './outward-event.ts';
import { recordOrganization } from './organization.store.ts';

/** Keeps the organization's partner, who may read its events. */
export const onOrganizationChanged =
  ({ db }: Deps): Maker<'OrganizationRegistered' | 'OrganizationChanged'> =>
  async ({ organizationId, partnerId }, { sequence }) => {
    await recordOrganization(db, { id: organizationId, partnerId, sequence: BigInt(sequence) });
    return [];
  };
