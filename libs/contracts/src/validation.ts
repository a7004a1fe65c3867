import type { z } from 'zod';
import { Refusal, type RefusalDetail } from './refusals.ts';

/** The value as the schema reads it. Otherwise a 400 VALIDATION_ERROR, whose message and details name the fields. */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const details = read.error.issues.flatMap(detailsOf);
  const message = details.map((detail) => (detail.path ? `${detail.path}: ${detail.message}` : detail.message));
  throw new Refusal('VALIDATION_ERROR', { message: `${message.join('; ')}.`, details });
}

function detailsOf(issue: z.core.$ZodIssue): RefusalDetail[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, shown(key)].join('.'), message: 'is not a known field' }));
  }
  return [{ path: path.join('.'), message: issue.message }];
}

/** The caller chose the name of an unknown field, so it may be a card number, which no answer repeats. */
const shown = (key: string) => key.replaceAll(/\d{12,}/g, '[digits]');
