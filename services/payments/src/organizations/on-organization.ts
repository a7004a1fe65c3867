import type { Handler } from '@cobro/events/event-handlers.ts';
import type { Deps } from '../deps.ts';
import { endOfOtherSponsors } from '../promotions/promotion.store.ts';
import { keepOrganization } from './organization.store.ts';

/** Updates our copy of an organization. Promotions of an earlier sales partner end, because the new one has promised nothing. */
export const onOrganization =
  ({ clock }: Pick<Deps, 'clock'>): Handler<'OrganizationRegistered' | 'OrganizationChanged'> =>
  async (tx, { organizationId: id, name, websiteURL, color = null, partnerId, partnerName = null }, { sequence }) => {
    const facts = { id, name, websiteUrl: websiteURL, color, partnerId, partnerName, sequence };
    if (await keepOrganization(tx, facts)) endOfOtherSponsors(tx, id, partnerId, clock.now());
  };
