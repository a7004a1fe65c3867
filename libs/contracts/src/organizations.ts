import { z } from 'zod';
import { webAddress } from './checkout.ts';
import { EMAIL } from './payment-methods.ts';
import { optional, requiredText, text, textOrNull, time } from './text.ts';

const business = z.strictObject({
  websiteURL: optional(webAddress),
  supportEmail: optional(
    text(255)
      .refine((value) => EMAIL.test(value), { error: 'must be an email address' })
      .meta({ pattern: EMAIL.source }),
  ),
  supportPhoneNumber: optional(text(50)),
});

/** Body of PATCH /organization. Absent fields stay as they are. */
export const organizationChange = z.strictObject({ name: optional(requiredText(255)), business: optional(business) });

/** A merchant's profile. `partner` is its sales partner. */
export const organizationProfile = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    business: z.strictObject({ websiteURL: textOrNull, supportEmail: textOrNull, supportPhoneNumber: textOrNull }),
    partner: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Organization' });
export type OrganizationProfile = z.output<typeof organizationProfile>;
