import { z } from 'zod';
import { identifier } from './operation-requests.ts';

export const movementKinds = ['charge', 'refund', 'refund_failed', 'dispute', 'adjustment'] as const;

const signed = z.int().min(-999_999_999_999).max(999_999_999_999);

/** Money that moved between the acquirer and the merchant. */
const movement = z
  .looseObject({
    id: z
      .string()
      .regex(/^[\x21-\x7e]{1,64}$/)
      .meta({
        description:
          'A charge and a refund have the key of their operation (sale, capture, refund), in small letters. All others have an id of the acquirer’s.',
      }),
    kind: z.enum(movementKinds),
    about: z
      .uuid()
      .nullable()
      .meta({ description: 'Of `dispute` and `refund_failed`: the key of the charge or refund that it is about.' }),
    gross: signed.meta({
      description:
        'Centavos: above 0 what came to the merchant (charge, refund_failed), below 0 what went (refund, dispute).',
    }),
    fee: signed.nullable().meta({ description: 'Centavos that the acquirer keeps of it. Null where it is not known.' }),
    net: signed.nullable().meta({ description: 'gross − fee. Null where the fee is not known.' }),
    currency: z.literal('MXN'),
    reference: identifier.meta({ description: 'The reference of the operation’s answer, or the acquirer’s own.' }),
    time: z.iso.datetime().meta({ description: 'When it moved, in UTC.' }),
  })
  .meta({ id: 'Movement' });
export type Movement = z.output<typeof movement>;

/** Query of `GET /v1/settlement-report`. */
export const settlementReportQuery = z.strictObject({
  day: z.iso.date('must be a day, as 2026-11-20').meta({ description: 'A natural day in Mexico City.' }),
  after: z.string().min(1).max(64).optional().meta({ description: 'The `next` of the page before.' }),
  limit: z.coerce.number().int().min(1).max(1_000).default(1_000),
});

/** A page: the movements of a day in ascending order of their ids, compared byte by byte. */
export const settlementReport = z
  .looseObject({
    day: z.iso.date(),
    asOf: z.iso.datetime().meta({ description: 'The acquirer’s time. The report of a day is complete up to then.' }),
    data: z.array(movement),
    next: z.string().nullable().meta({ description: 'The last id of this page, or null at the end.' }),
  })
  .meta({ id: 'SettlementReport' });
