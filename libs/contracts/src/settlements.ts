import { z } from 'zod';
import { movementKinds } from './acquirer/settlement-report.ts';
import { MOST_DAYS, wholeDay } from './reports.ts';

const DAY_MS = 86_400_000;

/** Days of Mexico City, both included. */
export const settlementQuery = z
  .strictObject({ from: wholeDay, to: wholeDay })
  .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < MOST_DAYS * DAY_MS, {
    path: ['to'],
    error: `must not be before from, and ${MOST_DAYS - 1} days behind it at most`,
  });

/** What settled on a day; a captured hold settles on the day of its capture. MXN pesos. */
export const settledDay = z
  .strictObject({
    day: z.iso.date(),
    payments: z.int(),
    amount: z.number(),
    fee: z.number(),
    feeIva: z.number(),
    promotionTake: z.number(),
    take: z.number().meta({ description: 'What the merchant gets: amount less fee, IVA and promotion.' }),
    refunds: z.strictObject({ payments: z.int(), amount: z.number(), take: z.number() }).meta({
      description: 'Refunds made on this day, of whatever day’s payments. They are not taken off the figures above.',
    }),
  })
  .meta({ id: 'SettledDay' });
export type SettledDay = z.output<typeof settledDay>;

/** Answer of GET /report/settlement, the earliest day first. */
export const settledDays = z.strictObject({ days: z.array(settledDay) });

const saidOrNull = z
  .number()
  .nullable()
  .meta({ description: 'Null where the acquirer did not say it of each movement.' });

/** The movements of one kind in an acquirer's settlement report of a day. MXN pesos. */
export const bankLine = z
  .strictObject({
    day: z.iso.date(),
    acquirer: z.string(),
    kind: z.enum(movementKinds),
    movements: z.int(),
    gross: z.number().meta({ description: 'Above 0 what came to the merchant, below 0 what went.' }),
    fee: saidOrNull,
    net: saidOrNull,
  })
  .meta({ id: 'BankLine' });
export type BankLine = z.output<typeof bankLine>;

/** Answer of GET /report/bank-settlement. */
export const bankSettlement = z.strictObject({ lines: z.array(bankLine) });
