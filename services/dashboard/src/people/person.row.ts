import { holdsCardData } from '@cobro/contracts/card-data.ts';
import { column, type RowOf, tableOf } from '@cobro/postgres/table.ts';
import { z } from 'zod';

/** An e-mail as it is stored. */
export const emailAddress = z
  .email()
  .max(254)
  .toLowerCase()
  .refine((text) => !holdsCardData(text));

export const languages = ['es', 'en'] as const;
export type Language = (typeof languages)[number];

const columns = {
  id: column<string>(),
  email: column<string>(),
  name: column<string>(),
  passwordHash: column<string>(),
  language: column<Language>(),
  createdAt: column<Date>(),
};

export type PersonRow = RowOf<typeof columns>;
export const personTable = tableOf(columns);
