import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { offsetPage, repeatable } from './paging.ts';
import { tappedCard } from './payment-methods.ts';
import { Refusal } from './refusals.ts';
import { externalId, instant, optional, requiredText, text } from './text.ts';
import { validate } from './validation.ts';

const schema = z.strictObject({
  name: requiredText(3),
  note: optional(text(3)),
  inner: z.strictObject({ list: z.array(z.strictObject({ n: z.int() })) }).optional(),
});

function refusalOf(value: unknown, by: z.ZodType = schema): Refusal {
  try {
    validate(by, value);
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error('was not refused');
}

describe('a validation', () => {
  test('gives what the schema reads', () => {
    expect(validate(schema, { name: 'a', note: null })).toEqual({ name: 'a' });
    expect(validate(schema, { name: 'abc', note: 'x', inner: { list: [{ n: 1 }] } })).toMatchObject({ note: 'x' });
  });

  test('names every field that is to blame, in message and details', () => {
    const refusal = refusalOf({ note: 'long!', nmae: 1, inner: { list: [{ n: 1 }, { n: 1.5, m: 2 }] } });
    expect(refusal).toMatchObject({ code: 'VALIDATION_ERROR', status: 400 });
    expect(refusal.extras.details).toEqual([
      { path: 'name', message: 'is required' },
      { path: 'note', message: 'must have at most 3 characters' },
      { path: 'inner.list.1.n', message: expect.any(String) },
      { path: 'inner.list.1.m', message: 'is not a known field' },
      { path: 'nmae', message: 'is not a known field' },
    ]);
    for (const { path, message } of refusal.extras.details ?? [])
      expect(refusal.message).toContain(`${path}: ${message}`);
  });

  test.each([
    [{ name: 'a', inner: 5 }, schema, 'inner: must be an object.'],
    [{}, z.strictObject({ card: z.strictObject({}) }), 'card: is required.'],
    [[], schema, 'must be an object.'],
    [{ status: 'C' }, z.strictObject({ status: z.enum(['A', 'B']) }), 'status: must be one of A, B.'],
    [{ status: ['A', 'A'] }, z.strictObject({ status: z.enum(['A', 'B']) }), 'status: must be given once.'],
    [{ page: ['1', '2'] }, z.strictObject(offsetPage), 'page: must be given once.'],
    [{ page: '9'.repeat(12) }, z.strictObject(offsetPage), 'page: must be from 1 to 999999999.'],
    [{ emv: { x: '' } }, tappedCard.pick({ emv: true }), 'emv.x: must be a tag in hexadecimal digits.'],
  ])('of %j says what is wrong in our words', (value, by, message) => {
    expect(refusalOf(value, by).message).toBe(message);
  });

  test('never shows a value', () => {
    const secret = '4242424242424242';
    for (const value of [secret, [secret], { name: secret }, { name: { secret } }, { name: 'a', note: [secret] }]) {
      expect(refusalOf(value).message).not.toContain(secret);
    }
  });

  test('repeats no card number that the caller uses as a name, in one piece, in groups or over several names', () => {
    const open = z.strictObject({ tags: z.record(z.string().regex(/^[0-9A-F]{2}$/), z.any()) });
    const nested = z.record(z.string(), z.record(z.string(), z.literal(1)));
    for (const name of ['4242424242424242', '4242 4242 4242 4242', '4242-4242-4242-4242', 'a4242.4242.4242.4242']) {
      for (const refusal of [refusalOf({ tags: { [name]: 1 } }, open), refusalOf({ [name]: 1, tags: {} }, open)]) {
        expect(refusal.extras.details).toEqual([
          { path: expect.stringMatching(/^(tags\.)?a?\[digits\]$/), message: expect.any(String) },
        ]);
        expect(refusal.message).not.toContain('4242');
      }
    }
    expect(refusalOf({ 42424242: { 42424242: 2 } }, nested).message).not.toContain('4242');
  });

  test('does not take keys of the prototype for fields', () => {
    expect(refusalOf(JSON.parse('{"name":"a","__proto__":{"x":1}}')).message).toContain('__proto__');
    expect(refusalOf({ name: 'a', constructor: 1 }).message).toContain('constructor');
  });
});

describe('text', () => {
  test('is counted in code points, and has no NUL and no half of a pair', () => {
    expect(text(2).safeParse('🦊🦊').success).toBe(true);
    expect(text(2).safeParse('🦊🦊🦊').success).toBe(false);
    for (const bad of ['\0', 'a\0', '\uD83E', '\uDD8Ax', 'x\uD83E', 1, null, ['a']]) {
      expect(text(9).safeParse(bad).success).toBe(false);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (value) => {
        const fits = !value.includes('\0') && value.isWellFormed() && [...value].length <= 10;
        expect(text(10).safeParse(value).success).toBe(fits);
      }),
    );
  });

  test('as an externalId counts as absent when empty or null', () => {
    for (const absent of ['', null, undefined]) expect(externalId.parse(absent)).toBeUndefined();
    expect(externalId.parse(' ')).toBe(' ');
    expect(externalId.safeParse('x'.repeat(256)).success).toBe(false);
  });

  test('of a time has milliseconds and Z', () => {
    const at = new Date('2026-05-05T12:00:00.001Z');
    expect(instant.encode(at)).toBe('2026-05-05T12:00:00.001Z');
    expect(instant.parse('2026-05-05T12:00:00.001Z')).toEqual(at);
    for (const bad of ['2026-05-05', '2026-05-05T12:00:00Z', '2026-05-05T12:00:00.001+00:00', 5]) {
      expect(instant.safeParse(bad).success).toBe(false);
    }
  });
});

describe('a query', () => {
  const page = z.strictObject(offsetPage);
  test('has a page and a size, or the first and 100', () => {
    expect(validate(page, {})).toEqual({ page: 1, pageSize: 100 });
    expect(validate(page, { page: '2', pageSize: '500' })).toEqual({ page: 2, pageSize: 500 });
    for (const bad of ['0', '-1', '1.5', '', ' 1', '1e3', '0x1', '9'.repeat(30), ['1', '2']]) {
      expect(refusalOf({ page: bad }, page).message).toContain('page');
    }
    expect(refusalOf({ pageSize: '501' }, page).message).toBe('pageSize: must be from 1 to 500.');
  });

  test('may repeat a filter', () => {
    const filter = z.strictObject({ status: repeatable(z.enum(['A', 'B'])) });
    expect(validate(filter, {})).toEqual({});
    expect(validate(filter, { status: 'A' })).toEqual({ status: ['A'] });
    expect(validate(filter, { status: ['A', 'B'] })).toEqual({ status: ['A', 'B'] });
    for (const bad of ['C', ['A', 'C'], '', 'A,B'])
      expect(refusalOf({ status: bad }, filter).code).toBe('VALIDATION_ERROR');
  });
});
