import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatKey, type KeyForm, parseKey } from './key.rules.ts';

const forms: [string, KeyForm][] = [
  ['sk_live_', { kind: 'merchant', mode: 'live' }],
  ['sk_test_', { kind: 'merchant', mode: 'test' }],
  ['pk_', { kind: 'partner' }],
  ['tk_', { kind: 'terminal' }],
];
const random = fc.uint8Array({ minLength: 32, maxLength: 32 });
const anyKey = fc
  .tuple(fc.constantFrom(...forms), random)
  .map(([[, form], bytes]) => ({ form, key: formatKey(form, bytes) }));

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const valueOf = (text: string) => [...text].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
/** The text with its right checksum. */
function signed(text: string): string {
  const sum = crc32(text);
  return text + [5, 4, 3, 2, 1, 0].map((position) => DIGITS.charAt(Math.floor(sum / 62 ** position) % 62)).join('');
}

describe('a key', () => {
  test.each(forms)('that begins with %s is of %j', (prefix, form) => {
    for (const byte of [0, 255]) {
      const key = formatKey(form, new Uint8Array(32).fill(byte));
      expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
      expect(parseKey(key)).toEqual(form);
    }
  });

  test('has the bytes as a number of base 62, then the CRC-32 of all that comes before', () => {
    fc.assert(
      fc.property(anyKey, random, ({ form }, bytes) => {
        const key = formatKey(form, bytes);
        expect(valueOf(key.slice(-49, -6))).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
        expect(signed(key.slice(0, -6))).toBe(key);
      }),
    );
  });

  test('says what it was made for, whatever its bytes', () => {
    fc.assert(fc.property(anyKey, ({ form, key }) => expect(parseKey(key)).toEqual(form)));
  });

  test('has all of its bytes in it: other bytes make another key', () => {
    const differ = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) !== 0;
    fc.assert(
      fc.property(random, random, (a, b) => {
        fc.pre(differ(a, b));
        expect(formatKey({ kind: 'partner' }, a)).not.toBe(formatKey({ kind: 'partner' }, b));
      }),
    );
  });

  test('with one character wrong is none', () => {
    const wrong = fc
      .tuple(anyKey, fc.nat(200), fc.constantFrom('0', 'a', 'Z', '_', '-'))
      .map(([{ key }, at, character]) => ({
        key,
        typo: key.slice(0, at % key.length) + character + key.slice((at % key.length) + 1),
      }));
    fc.assert(
      fc.property(wrong, ({ key, typo }) => {
        fc.pre(key !== typo);
        expect(parseKey(typo)).toBeUndefined();
      }),
    );
  });

  test('with two characters swapped is none', () => {
    fc.assert(
      fc.property(anyKey, fc.nat(200), ({ key }, at) => {
        const i = at % (key.length - 1);
        const swapped = key.slice(0, i) + key.charAt(i + 1) + key.charAt(i) + key.slice(i + 2);
        fc.pre(swapped !== key);
        expect(parseKey(swapped)).toBeUndefined();
      }),
    );
  });

  test.each(['', 'sk_test_', 'sk_test', 'x'.repeat(57), 'constructor', ' '])('is not %j', (text) => {
    expect(parseKey(text)).toBeUndefined();
  });

  test('cut short, run on or in other letters is none', () => {
    const key = formatKey({ kind: 'partner' }, new Uint8Array(32).fill(7));
    for (const other of [key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`, key.toUpperCase(), key.slice(3)]) {
      expect(parseKey(other)).toBeUndefined();
    }
  });

  test('of another form is none, even with a right checksum', () => {
    const body = `pk_${'7'.repeat(43)}`;
    expect(parseKey(signed(body))).toEqual({ kind: 'partner' });
    for (const other of [`x${body}`, `${body}7`, body.slice(0, -1), `xk${body.slice(2)}`, `${body.slice(0, -1)}-`]) {
      expect(parseKey(signed(other))).toBeUndefined();
    }
  });
});
