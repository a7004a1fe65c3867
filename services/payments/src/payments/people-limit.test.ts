import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@cobro/contracts/ids.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import { openRedis, type Redis } from '@cobro/limits/redis.ts';
import { DatabaseUnavailable } from '@cobro/postgres/unavailable.ts';
import { silentLog } from '@cobro/testing/silent-log.ts';
import { boundedForPeople, createPeopleLimit } from './people-limit.ts';

let redis: Redis;
beforeAll(() => {
  // No Redis answers there, so this process counts alone.
  redis = openRedis({ url: 'redis://127.0.0.1:1', prefix: '', log: silentLog });
});
afterAll(() => redis.close());

test.each<[string, Error, object]>([
  ['is refused uses nothing up', new Refusal('FEE_CHANNEL_UNKNOWN'), { status: 'fulfilled' }],
  [
    'fails may be at the bank, and counts',
    new DatabaseUnavailable('query', new Error('broken off')),
    { status: 'rejected', reason: expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED' }) },
  ],
])('what %s', async (_, error, next) => {
  const limit = createPeopleLimit(redis);
  const ofAll = { what: 'charged', organizationId: newId(), amount: 10_000_000n } as const;
  const charge = async (work: () => Promise<object>) => {
    const person = { kind: 'person', id: newId() } as const;
    const [end] = await Promise.allSettled([boundedForPeople(limit, person, ofAll, work, () => true)]);
    return end;
  };
  expect(await charge(() => Promise.reject(error))).toEqual({ status: 'rejected', reason: error });
  expect(await charge(() => Promise.resolve({}))).toMatchObject(next);
});
