import { z } from 'zod';

/** The acquirer at `BANK_URL`. Whatever is older than the first named acquirer belongs to it, and so does what has no name. */
export const DEFAULT_ACQUIRER = 'default';

/** How the deployment calls an acquirer. It stands in rows for ever, so an acquirer keeps its name. */
export const acquirerName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, { error: 'must be a name of small letters, digits and dashes' });

/** Whose token was charged, in events. An event of release 0.1 names none. */
export const acquirerInEvents = z.string().default(DEFAULT_ACQUIRER);
