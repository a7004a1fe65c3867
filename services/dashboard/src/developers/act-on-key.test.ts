import { newId } from '@cobro/contracts/ids.ts';
import { readDashboardAssets } from '@cobro/dashboard/assets.ts';
import { expect, test } from '@jest/globals';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import { anOwner } from '../http/visit-under-test.ts';
import { showKeyAction } from './act-on-key.ts';

const deps = { assets: readDashboardAssets(), isTestMode: true } as Deps;
const dates = { createdAt: new Date().toISOString(), endsAt: null, lastUsedAt: null };
const keys = Array.from({ length: 1_001 }, (_, i) => ({ ...dates, id: newId(), name: `llave ${i}`, status: 'ACTIVE' }));

const revoking = (id: string) =>
  showKeyAction(deps, {
    ...anOwner(),
    params: { id, action: 'revoke' },
    api: {
      ofPeople: async (_contract: object, { query }: { query: { page: string; pageSize: string } }) => {
        const [page, size] = [Number(query.page), Number(query.pageSize)];
        return { kind: 'done', value: { count: keys.length, items: keys.slice((page - 1) * size, page * size) } };
      },
    },
  } as unknown as SignedIn);

test('the oldest of many keys can be revoked', async () => {
  const { html } = await revoking(keys.at(-1)?.id ?? '');
  expect(html).toContain('llave 1000');
  await expect(revoking(newId())).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
