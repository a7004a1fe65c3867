import { z } from 'zod';
import { webAddress } from './checkout.ts';
import { uuid } from './ids.ts';
import { optional, requiredText, textOrNull, time } from './text.ts';

const name = requiredText(255);

/** Body of POST /platform/partner. The caller chooses the id, so that a form that is sent twice makes one partner. */
export const partnerBody = z.strictObject({ id: uuid, name });

export const NO_PARTNER = 'there is no such sales partner';

/** Body of POST /platform/organization. The caller chooses the id here too. */
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

/** An operation whose outcome is not known yet. Amounts are MXN pesos; null if a request names none. */
const openOperation = z.strictObject({
  id: z.uuid(),
  acquirer: z.string(),
  purpose: z.string(),
  subjectId: z.uuid(),
  amount: z.number().nullable(),
  claimedAt: time,
  inquiries: z.int().meta({ description: 'How often the acquirer was asked what became of it.' }),
});
export type OpenOperation = z.output<typeof openOperation>;
export const openOperations = z.strictObject({ count: z.int(), items: z.array(openOperation) });

/** The reconciliation of a day in Mexico City. */
const comparedBooks = z.strictObject({
  of: z.string().meta({ description: 'The acquirer, `counters` or `events`.' }),
  day: z.iso.date(),
  finishedAt: time,
  differences: z.int(),
  notCompared: textOrNull.meta({ description: 'Why nothing could be compared; null where it was.' }),
});
export type ComparedBooks = z.output<typeof comparedBooks>;
export const comparedBooksList = z.strictObject({ items: z.array(comparedBooks) });
