import { z } from 'zod';
import { webAddress } from './checkout.ts';
import { uuid } from './ids.ts';
import { optional, requiredText, textOrNull } from './text.ts';

const name = requiredText(255);

/** Body of POST /platform/partner. The id is the caller's, so that a form that is sent twice makes one. */
export const partnerBody = z.strictObject({ id: uuid, name });

export const NO_PARTNER = 'there is no such sales partner';

/** Body of POST /platform/organization, with an id in the same way. */
export const organizationBody = z.strictObject({
  id: uuid,
  name,
  websiteURL: optional(webAddress),
  partnerId: optional(uuid.meta({ description: NO_PARTNER })),
});

/** A sales partner, as the platform lists it. */
export const platformPartner = z.strictObject({ id: z.uuid(), name: z.string() }).meta({ id: 'PlatformPartner' });
export const platformPartners = z.strictObject({ items: z.array(platformPartner) });

export const platformOrganization = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    websiteURL: textOrNull,
    partner: platformPartner.nullable(),
  })
  .meta({ id: 'PlatformOrganization' });
