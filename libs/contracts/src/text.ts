import { z } from 'zod';
import { holdsCardData } from './card-data.ts';
import { refuseField } from './validation.ts';

/** The error says what a field must be, or that an absent field is required. */
export const must = (what: string) => ({
  error: (issue: { input?: unknown }) => (issue.input === undefined ? 'is required' : `must ${what}`),
});

// Postgres cannot store NUL, and a lone surrogate has no UTF-8 form.
const storable = (text: string) => !text.includes('\0') && text.isWellFormed();

export const UNSTORABLE = 'must not contain NUL or lone surrogates';

/** Text of at most `max` Unicode code points, free of NUL and lone surrogates. It may hold card data. */
const anyText = (max: number) =>
  z
    .string(must('be a string'))
    .refine((value) => storable(value), { error: UNSTORABLE })
    .refine((value) => [...value].length <= max, { error: `must have at most ${max} characters` })
    .meta({ maxLength: max });

export const NO_CARD_DATA = 'must not contain a card number or security code';

/** The same without card data, for text that is stored. */
export const text = (max: number) => anyText(max).refine((value) => !holdsCardData(value), { error: NO_CARD_DATA });

/** A telephone number has up to 15 digits, and may look like a card number by chance. */
export const phoneNumber = anyText(50).refine((value) => !holdsCardData(value, 16), { error: NO_CARD_DATA });

const required = (schema: z.ZodString) => schema.min(1, { error: 'must not be empty' });

export const requiredText = (max: number) => required(text(max));

/** For text that is printed on a card, and goes only to the bank's vault. */
export const requiredAnyText = (max: number) => required(anyText(max));

/** Text that is only compared, or checked by its signature, and never stored or shown. */
export const opaque = z.string();

/** A colour as in CSS, `#0a7f5c`, kept in lower case. */
export const hexColor = z
  .string(must('be a colour like #0a7f5c'))
  .regex(/^#[\da-f]{6}$/i, { error: 'must be a colour like #0a7f5c' })
  .toLowerCase();

/** An optional field. `null` counts as absent. */
export const optional = <S extends z.ZodType>(schema: S) =>
  schema.nullish().transform((value): z.output<S> | undefined => value ?? undefined);

const NEW_ID_RULE = `${NO_CARD_DATA}: put a letter before it`;

/** A caller's own id. It may look like a card number until `refuseCardData` has checked it. */
export const requiredExternalId = requiredAnyText(255).meta({ description: NEW_ID_RULE });

/** An optional externalId. The empty string counts as absent. */
export const externalId = anyText(255)
  .meta({ maxLength: 255, description: NEW_ID_RULE })
  .nullish()
  .transform((value) => (value === '' || value === null ? undefined : value));

/**
 * Checks an externalId that no record has, before it is stored. A stored one is answered as before, so that nothing is charged
 * twice because of what its caller's ids look like. @throws Refusal 400
 */
export function refuseCardData(newExternalId: string | undefined): void {
  if (newExternalId === undefined || !holdsCardData(newExternalId)) return;
  throw refuseField('externalId', NEW_ID_RULE);
}

/** Text of an answer or an event that may be unknown. */
export const textOrNull = z.string().nullable();

/** Time in an answer: ISO 8601 UTC, as text. */
export const time = z.iso.datetime();

/** Time in a request, with any offset, kept to the millisecond. `rule` is the use case's condition. */
export const dateTime = (rule?: string) =>
  z.iso
    .datetime({ offset: true, ...must('be a date-time with offset') })
    .meta(rule === undefined ? {} : { description: rule })
    .transform((iso) => new Date(Math.floor(new Date(iso).getTime())));

/** Time on the wire that is read as a Date: ISO 8601 UTC with milliseconds. */
export const instant = z.codec(z.iso.datetime({ precision: 3 }), z.date(), {
  decode: (iso) => new Date(iso),
  encode: (date) => date.toISOString(),
});
