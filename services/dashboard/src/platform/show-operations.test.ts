import { readDashboardAssets } from '@cobro/dashboard/assets.ts';
import { expect, test } from '@jest/globals';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { showOperations } from './show-operations.ts';

test('a broker that does not answer leaves its panel out, and the page is sent in three seconds', async () => {
  const deps = {
    clock: { now: () => new Date() },
    assets: readDashboardAssets(),
    isTestMode: true,
    clockUrl: undefined,
    countParked: () => new Promise(() => {}),
  } as unknown as Deps;
  const visit = {
    address: '/platform/operations',
    language: 'en',
    formToken: 't',
    role: 'admin',
    scope: { kind: 'platform', id: null },
    scopeName: null,
    person: { id: '', email: 'ana@example.com', name: 'Ana' },
    session: { provedAt: null, lentUntil: null },
    api: { ofPeople: async () => ({ kind: 'done', value: { count: 0, items: [] } }) },
  } as unknown as SignedIn;
  const begun = performance.now();
  const { status, html = '' } = await showOperations(deps, visit);
  expect(status).toBe(200);
  expect(html.split('Not available now')).toHaveLength(2);
  expect(performance.now() - begun).toBeLessThan(3_000);
});
