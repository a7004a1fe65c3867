import { createServer } from 'node:http';
import type { CallerOf } from '@cobro/contracts/caller.ts';
import { listPlatformPartners } from '@cobro/contracts/routes/platform.ts';
import { listening } from '@cobro/testing/listening.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { openApi } from './api.ts';

test('a call that finds every connection taken by others that get no answer ends long before they do, and is not sent', async () => {
  let came = 0;
  const hanging = await listening(createServer(() => void came++));
  const api = openApi({ peopleUrl: hanging.url, sign: () => Promise.resolve('token'), tls: undefined });
  const someone: CallerOf<'platform'> = {
    kind: 'platform',
    by: { kind: 'person', id: crypto.randomUUID() },
    provedAt: new Date().toISOString(),
  };
  const call = () => api.open(someone, 'a-request').ofPeople(listPlatformPartners, {}, 120_000);
  const others = Array.from({ length: 128 }, call);
  expect(await Promise.race([call(), ...others])).toEqual({ kind: 'lost', why: 'Error' });
  await until('the others have come', () => came === 128);
  await hanging.close();
  expect(await Promise.all(others)).toHaveLength(128);
  expect(came).toBe(128);
  await api.close();
});
