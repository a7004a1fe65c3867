import { z } from 'zod';
import { requiredExternalId, requiredText, textOrNull, time } from './text.ts';

/** ENDING: the key was replaced, and works until `endsAt`. */
const statuses = ['ACTIVE', 'ENDING', 'REVOKED'] as const;

/** A key of a merchant or a sales partner, without the key itself. */
const fields = {
  id: z.uuid(),
  /** Null if an operator made it. */
  name: textOrNull,
  lastFour: z.string(),
  status: z.enum(statuses),
  /** The person who made it; null if an operator did. */
  createdBy: z.uuid().nullable(),
  createdAt: time,
  /** To the minute; null if it was never used. */
  lastUsedAt: time.nullable(),
  /** When it ended or will end; null if no end is set. */
  endsAt: time.nullable(),
};
export const apiKey = z.strictObject(fields).meta({ id: 'ApiKey' });
export type ApiKey = z.output<typeof apiKey>;

/** Only this answer has the whole key. */
export const createdApiKey = z.strictObject({ ...fields, key: z.string() }).meta({ id: 'CreatedApiKey' });
export type CreatedApiKey = z.output<typeof createdApiKey>;

export const NAME_MOST = 100;

/** Body of POST /api-key. The form's page is made with its externalId, so that a double click makes one key. */
export const apiKeyBody = z.strictObject({ name: requiredText(NAME_MOST), externalId: requiredExternalId });

const OVERLAP_MOST_S = 7 * 86_400;
const overlap = { error: `must be a whole number from 0 to ${OVERLAP_MOST_S}` };

/** Body of POST /api-key/{id}/roll. */
export const rollBody = z.strictObject({
  oldKeyLivesForSeconds: z.int(overlap).min(0, overlap).max(OVERLAP_MOST_S, overlap),
  externalId: requiredExternalId,
});
