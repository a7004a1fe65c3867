import { readDashboardAssets } from '@cobro/dashboard/assets.ts';
import { timed } from '@cobro/testing/redis-replicas.ts';
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
  const { ms, result } = await timed(() => showOperations(deps, visit));
  const { status, html = '' } = result;
  expect(status).toBe(200);
  expect(html.split('Not available now')).toHaveLength(2);
  expect(ms).toBeLessThan(3_000);
});
