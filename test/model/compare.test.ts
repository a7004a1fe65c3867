import { expect, test } from '@jest/globals';
import { difference } from './compare.ts';
import { emptyModel } from './model.ts';
import { candidatesOf } from './predict.ts';
import type { Request } from './steps.ts';

const createdAt = '2026-11-22T12:00:00.000Z';
const now = Date.parse(createdAt);
const id = '01a2036b-9101-7c49-abcb-605c4e29c7d6';
const organization = { name: 'Tienda' };
const next = { id, amount: 100, currency: 'MXN', externalId: 'i-1', redirectAppId: null, organization, createdAt };
const pair: Request[] = [
  { op: 'next', terminal: 1 },
  { op: 'createIntent', terminal: 1, amount: 10_000, externalId: 'i-1' },
];

/** How the answer to the terminal differs if the intent is made first, although that answer is compared first. */
function differenceOfNext(body: object): string | undefined {
  const madeFirst = candidatesOf(emptyModel(), pair, now).at(-1);
  const [ofNext] = madeFirst?.answers ?? [];
  if (madeFirst === undefined || ofNext === undefined) throw new Error('no history in which the intent is made first');
  const answer = { status: 200, headers: new Headers(), body: body as Record<string, unknown> };
  return difference(ofNext, madeFirst.model, answer, { from: now, to: now });
}

test('a terminal may be given an intent that is made at the same time', () => {
  expect(differenceOfNext({ ...next, expiresAt: createdAt })).toBeUndefined();
});

test('but no other intent, and none that was made at another time', () => {
  expect(differenceOfNext({ ...next, amount: 99 })).toContain('"amount":100');
  expect(differenceOfNext({ ...next, createdAt: '2026-11-22T12:00:01.000Z' })).toContain('createdAt is');
});
