import type { z } from 'zod';
import { Refusal, type RefusalDetail } from './refusals.ts';

/** The value as the schema reads it. @throws Refusal 400 VALIDATION_ERROR, whose message and details name the fields */
export function validate<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value, { error: unlessTheSchemaSays });
  if (read.success) return read.data;
  throw refusalOf(read.error.issues.flatMap(detailsOf));
}

/** The same refusal, of one field, for a reason that no schema can check. */
export const refuseField = (path: string, message: string): Refusal => refusalOf([{ path, message }]);

function refusalOf(details: RefusalDetail[]): Refusal {
  const message = details.map((detail) => (detail.path ? `${detail.path}: ${detail.message}` : detail.message));
  return new Refusal('VALIDATION_ERROR', { message: `${message.join('; ')}.`, details });
}

/** The message for a field whose schema has none. Only queries and forms give an array in place of one value. */
const unlessTheSchemaSays: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type' && issue.expected === 'object') {
    return issue.input === undefined ? 'is required' : 'must be an object';
  }
  if (issue.code === 'invalid_key') return issue.issues[0]?.message;
  if (Array.isArray(issue.input)) return 'must be given once';
  return issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : undefined;
};

function detailsOf(issue: z.core.$ZodIssue): RefusalDetail[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: shown([...issue.path, key].join('.')), message: 'is not a known field' }));
  }
  return [{ path: shown(issue.path.join('.')), message: shown(issue.message) }];
}

/**
 * The caller may choose the names in a path (an unknown field, an EMV tag), so a path may hold a card's code or its number, even in
 * groups of digits or over several names. No answer repeats one.
 */
const shown = (text: string) =>
  text.replaceAll(/\d(?:[^A-Za-z\d]?\d){11,}/g, '[digits]').replaceAll(/(cv[cv]2?[^A-Za-z\d]*)\d{3,4}/gi, '$1[digits]');
