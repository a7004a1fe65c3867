import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type RefusalCode, refusals } from '@cobro/contracts/refusals.ts';
import { payPaymentLink } from '@cobro/contracts/routes/payment-links.ts';
import * as subscriptions from '@cobro/contracts/routes/subscriptions.ts';
import { expect, test } from '@jest/globals';

test.each<[guide: string, codes: readonly RefusalCode[]]>([
  ['payment-links', payPaymentLink.refusals],
  ['subscriptions', Object.values(subscriptions).flatMap((route) => [...route.refusals])],
])('the guide %s says what to do about each 409 of its routes', (guide, codes) => {
  const page = readFileSync(path.join(import.meta.dirname, `../../docs/guides/${guide}.md`), 'utf8');
  const needed = codes.filter((code) => refusals[code][0] === 409);
  expect(needed.length).toBeGreaterThan(0);
  expect(needed.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
