import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { Secret } from '@cobro/contracts/secret.ts';
import fc from 'fast-check';
import { issueCursor, readCursor } from './list-cursor.ts';

const newKey = () => new Secret(randomBytes(32));
const key = [newKey()] as const;
const list = {
  name: 'payments',
  organizationId: newId(),
  filters: { status: ['HELD'], from: new Date('2026-11-20T06:00:00.000Z') },
};
const position = {
  walkBegan: '2026-11-20 12:00:00.123456+00',
  createdAt: new Date('2026-11-20T11:00:00.001Z'),
  id: newId(),
};
const cursor = issueCursor(key, list, position);

function refusalOf(read: () => unknown): string | undefined {
  try {
    read();
  } catch (error) {
    return error instanceof Refusal ? error.code : 'a bug';
  }
  return undefined;
}

describe('a cursor', () => {
  test('gives back the position that it was issued for', () => {
    expect(readCursor(key, list, cursor)).toEqual(position);
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  test('with any bit flipped is refused', () => {
    const bytes = Buffer.from(cursor, 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(refusalOf(() => readCursor(key, list, forged.toString('base64url')))).toBe('INVALID_CURSOR');
    }
  });

  test('written in any other way is refused', () => {
    const anyCharacter = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(fc.nat(cursor.length), fc.nat(2), anyCharacter, (at, removed, inserted) => {
        const other = cursor.slice(0, at) + inserted + cursor.slice(at + removed);
        fc.pre(other !== cursor);
        expect(refusalOf(() => readCursor(key, list, other))).toBe('INVALID_CURSOR');
      }),
    );
    for (const other of ['', `${cursor}=`, ` ${cursor}`, `${cursor}${cursor}`]) {
      expect(refusalOf(() => readCursor(key, list, other))).toBe('INVALID_CURSOR');
    }
  });

  test('of another key, organization or filter is refused', () => {
    const otherKey = [newKey()] as const;
    expect(refusalOf(() => readCursor(otherKey, list, cursor))).toBe('INVALID_CURSOR');
    expect(refusalOf(() => readCursor(key, { ...list, organizationId: newId() }, cursor))).toBe('INVALID_CURSOR');
    expect(refusalOf(() => readCursor(key, { ...list, name: 'holds' }, cursor))).toBe('INVALID_CURSOR');
    for (const filters of [{}, { status: ['HELD'] }, { ...list.filters, status: ['HELD', 'CONFIRMED'] }]) {
      expect(refusalOf(() => readCursor(key, { ...list, filters }, cursor))).toBe('INVALID_CURSOR');
    }
  });

  test('is read as long as its key is among those that are believed, wherever it stands', () => {
    const next = newKey();
    expect(readCursor([next, key[0]], list, cursor)).toEqual(position);
    expect(readCursor([key[0], next], list, issueCursor([next, key[0]], list, position))).toEqual(position);
    expect(refusalOf(() => readCursor([next], list, cursor))).toBe('INVALID_CURSOR');
  });
});
