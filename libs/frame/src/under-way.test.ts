import { mainContracts } from '@cobro/contracts/routes.ts';
import type { ServedRoute } from '@cobro/service-kit/serve-route.ts';
import { expect, test } from '@jest/globals';
import { openUnderWay } from './under-way.ts';

const given = [{}, {}] as Parameters<ServedRoute<object>['useCase']>;

test('a process that ends waits for every use case that has begun, whether it fails or not', async () => {
  const underWay = openUnderWay();
  const ended: string[] = [];
  const slow = Promise.withResolvers<never>();
  const [contract] = mainContracts;
  if (contract === undefined) throw new Error('there are no routes');
  const answer = underWay
    .follow<object>({ contract, useCase: () => slow.promise })
    .useCase(...given)
    .catch(() => ended.push('the use case'));
  const finished = underWay.finish().then(() => ended.push('the process'));
  await new Promise((done) => setImmediate(done));
  expect(ended).toEqual([]);

  slow.reject(new Error('refused'));
  await Promise.all([answer, finished]);
  expect(ended.toSorted()).toEqual(['the process', 'the use case']);
  await expect(underWay.finish()).resolves.toBeUndefined();
});
