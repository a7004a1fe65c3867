import type { Envelope } from '@cobro/contracts/events.ts';
import { appendToOutbox } from '@cobro/events/outbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { organizationEvent } from './organization-event.ts';
import { type OrganizationChange, type StoredOrganization, updateOrganization } from './organization.store.ts';

/**
 * Changes the given fields, and appends OrganizationChanged in the same transaction. Of two changes at once each writes its own fields,
 * one after the other. Undefined where there is no such organization.
 */
export const changeOrganization = (
  db: Database,
  change: OrganizationChange,
): Promise<{ organization: StoredOrganization; event: Envelope } | undefined> =>
  db.inTransaction(async (tx) => {
    const organization = await updateOrganization(tx, change);
    if (organization === undefined) return undefined;
    const event = organizationEvent('OrganizationChanged', organization, new Date());
    appendToOutbox(tx, event);
    return { organization, event };
  });
