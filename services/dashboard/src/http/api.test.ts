import { createServer } from 'node:http';
import type { CallerOf } from '@cobro/contracts/caller.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { listPlatformPartners } from '@cobro/contracts/routes/platform.ts';
import { listening } from '@cobro/testing/listening.ts';
import { until } from '@cobro/testing/until.ts';
import { expect, test } from '@jest/globals';
import { openApi } from './api.ts';

const CONNECTIONS = 128;

test('a call that finds the connections taken by others that get no answer ends long before they do, and is not sent', async () => {
  let came = 0;
  const hanging = await listening(createServer(() => void came++));
  const api = openApi({ peopleUrl: hanging.url, sign: () => Promise.resolve('token'), tls: undefined });
  const someone = (): CallerOf<'person'> => ({
    kind: 'person',
    personId: newId(),
    scope: { kind: 'organization', organizationId: newId() },
    role: 'operator',
    provedAt: new Date().toISOString(),
  });
  const callBy = (person: CallerOf<'person'>) => () =>
    api.open(person, 'a-request').ofPeople(listPlatformPartners, {}, 120_000);
  const lost = { kind: 'lost', why: 'Error' };
  const flood = someone();
  // The limit also holds for another person of the same scope.
  const calls = Array.from({ length: CONNECTIONS / 4 }, callBy(flood));
  expect(await Promise.race([callBy({ ...flood, personId: newId() })(), ...calls])).toEqual(lost);
  for (const other of [someone(), someone(), someone()]) {
    calls.push(...Array.from({ length: CONNECTIONS / 4 }, callBy(other)));
  }
  await until('everybody has a share', () => came === CONNECTIONS);
  expect(await Promise.race([callBy(someone())(), ...calls])).toEqual(lost);
  await hanging.close();
  expect(await Promise.all(calls)).toHaveLength(CONNECTIONS);
  expect(came).toBe(CONNECTIONS);
  await api.close();
});
