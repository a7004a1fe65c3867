import { expect, test } from '@jest/globals';
import { partnerEventQuery } from './event-feed.ts';
import { newId, uuid } from './ids.ts';

test('ids are UUIDs v7 and never the same', () => {
  const ids = Array.from({ length: 20_000 }, () => newId());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids.slice(0, 500)) {
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(uuid.safeParse(id).success).toBe(true);
  }
});

test('ids are in the order of the milliseconds that they were made for', () => {
  const begun = Date.parse('2026-05-05T12:00:00.000Z');
  const ids = Array.from({ length: 200 }, (_, i) => newId(begun + i * 37));
  expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(ids);
  ids.forEach((id, i) => expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(begun + i * 37));
});

test('every bit that is random is', () => {
  const ids = Array.from({ length: 2_000 }, () => BigInt(`0x${newId(0).replaceAll('-', '')}`));
  // 48 bits of time, 4 of the version, 12 random, 2 of the variant, 62 random.
  const random = [...Array.from({ length: 62 }, (_, i) => i), ...Array.from({ length: 12 }, (_, i) => 64 + i)];
  for (const bit of random) {
    const ones = ids.filter((id) => (id >> BigInt(bit)) & 1n).length;
    expect(ones).toBeGreaterThan(800);
    expect(ones).toBeLessThan(1_200);
  }
});

test('an id by which a partner filters is read in small letters, like those that it is compared with', () => {
  const organizationId = newId();
  expect(partnerEventQuery.parse({ organizationId: organizationId.toUpperCase() })).toMatchObject({
    organizationId: [organizationId],
  });
});
