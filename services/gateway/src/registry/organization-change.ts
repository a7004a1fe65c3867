import type { Envelope } from '@cobro/contracts/events.ts';
import { appendToOutbox } from '@cobro/events/outbox.ts';
import type { Database } from '@cobro/postgres/database.ts';
import { changesOf } from '@cobro/service-kit/changes.ts';
import { organizationEvent } from './organization-event.ts';
import {
  lockOrganization,
  type OrganizationChange,
  type StoredOrganization,
  updateOrganization,
} from './organization.store.ts';

/**
 * Changes the given fields that differ, under the row's lock so that two changes at once both stay. Appends OrganizationChanged in the
 * same transaction, unless nothing changed. Returns undefined if there is no such organization.
 */
export const changeOrganization = (
  db: Database,
  { id, ...given }: OrganizationChange,
): Promise<{ organization: StoredOrganization; events: Envelope[] } | undefined> =>
  db.inTransaction(async (tx) => {
    const before = await lockOrganization(tx, id);
    if (before === undefined) return undefined;
    const changes = changesOf<StoredOrganization, keyof typeof given>(before, given);
    if (Object.keys(changes).length === 0) return { organization: before, events: [] };
    const organization = await updateOrganization(tx, id, changes);
    const event = organizationEvent('OrganizationChanged', organization, new Date());
    appendToOutbox(tx, event);
    return { organization, events: [event] };
  });
