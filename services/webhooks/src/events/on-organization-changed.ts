import type { Handler } from '@cobro/events/event-handlers.ts';
import { recordOrganization } from './organization.store.ts';

/** Whose partner may read its events. */
export const onOrganizationChanged: Handler<'OrganizationRegistered' | 'OrganizationChanged'> = (
  tx,
  { organizationId, partnerId },
  { sequence },
) => recordOrganization(tx, { id: organizationId, partnerId, sequence: BigInt(sequence) });
