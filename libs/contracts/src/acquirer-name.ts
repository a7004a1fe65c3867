import { z } from 'zod';

/** The acquirer at `BANK_URL`. Everything that is older than the first named acquirer, or names none, belongs to it. */
export const DEFAULT_ACQUIRER = 'default';

/** The deployment's name for an acquirer. Rows keep it for ever, so it never changes. */
export const acquirerName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: 'must be a name of small letters, digits and dashes' });

/** In events: the acquirer that gave the token. An event of release 0.1 names none. */
export const acquirerInEvents = z.string().default(DEFAULT_ACQUIRER);
