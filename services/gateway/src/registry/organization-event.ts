import { newEvent, type Envelope } from '@cobro/contracts/events.ts';
import type { StoredOrganization } from './organization.store.ts';

/** The event by which other services learn of an organization. */
export function organizationEvent(
  type: 'OrganizationRegistered' | 'OrganizationChanged',
  organization: StoredOrganization,
  time: Date,
): Envelope {
  const { id, name, websiteUrl, partnerId, partnerName, color, version } = organization;
  const data = { organizationId: id, name, websiteURL: websiteUrl, partnerId, partnerName, color };
  return newEvent(type, { subject: id, sequence: version, time, data });
}
