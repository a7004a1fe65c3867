import { newEvent, type Envelope } from '@cobro/contracts/events.ts';
import type { StoredOrganization } from './organization.store.ts';

/** The event by which other services learn of an organization. */
export function organizationEvent(
  type: 'OrganizationRegistered' | 'OrganizationChanged',
  organization: StoredOrganization,
  time: Date,
): Envelope {
  const { id, name, websiteUrl, partnerId, color, supportEmail, supportPhoneNumber, version } = organization;
  const business = { websiteURL: websiteUrl, supportEmail, supportPhoneNumber };
  const data = { organizationId: id, name, ...business, partnerId, color };
  return newEvent(type, { subject: id, sequence: version, time, data });
}
