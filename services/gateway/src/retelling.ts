import { type Retelling, retelling } from '@cobro/events/retelling.ts';
import type { Queries } from '@cobro/postgres/database.ts';
import { organizationEvent } from './registry/organization-event.ts';
import { findOrganizationsAfter, findOrganizationsOfIds } from './registry/organization.store.ts';

/** Every organization as it is now. */
export const retellOrganizations = (queries: Queries): Retelling =>
  retelling({
    after: (id, limit) => findOrganizationsAfter(queries, id, limit),
    ofKeys: (ids) => findOrganizationsOfIds(queries, ids),
    keyOf: ({ id }) => id,
    eventsOf: (rows) => rows.map((row) => organizationEvent('OrganizationChanged', row, new Date())),
  });
