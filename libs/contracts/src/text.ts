import { z } from 'zod';

/** Says what a field must be, or that it is required where it is absent. */
export const must = (what: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? 'is required' : `must ${what}`),
});

// Postgres cannot store NUL, and a lone surrogate has no UTF-8 form.
const storable = (text: string) => !text.includes('\0') && text.isWellFormed();

/** Text of at most `max` Unicode code points, free of NUL and lone surrogates. */
export const text = (max: number) =>
  z
    .string(must('be a string'))
    .refine((value) => storable(value), { error: 'must not contain NUL or lone surrogates' })
    .refine((value) => [...value].length <= max, { error: `must have at most ${max} characters` });

export const requiredText = (max: number) => text(max).refine((value) => value !== '', { error: 'must not be empty' });

/** A colour as in CSS, `#0a7f5c`, kept in lower case. */
export const hexColor = z
  .string(must('be a colour like #0a7f5c'))
  .regex(/^#[\da-f]{6}$/i, { error: 'must be a colour like #0a7f5c' })
  .toLowerCase();

/** An optional field. `null` counts as absent. */
export const optional = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value): z.output<S> | undefined => value ?? undefined);

/** A caller's own id. The empty string counts as absent. */
export const externalId = text(255)
  .nullish()
  .transform((value) => (value === '' || value === null ? undefined : value));

/** Text of an answer or an event that may be unknown. */
export const textOrNull = z.string().nullable();

/** Time in an answer: ISO 8601 UTC, as the text that it is. */
export const time = z.iso.datetime();

/** Time on the wire that is read as a Date: ISO 8601 UTC with milliseconds. */
export const instant = z.codec(z.iso.datetime({ precision: 3 }), z.date(), {
  decode: (iso) => new Date(iso),
  encode: (date) => date.toISOString(),
});
