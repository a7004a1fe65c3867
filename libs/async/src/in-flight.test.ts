import { expect, test } from '@jest/globals';
import { createInFlight } from './in-flight.ts';

test('a process that ends waits for every use case that has begun, whether it fails or not', async () => {
  const underWay = createInFlight();
  const ended: string[] = [];
  const slow = Promise.withResolvers<never>();
  const answer = underWay.add(slow.promise).catch(() => ended.push('the use case'));
  const finished = underWay.idle().then(() => ended.push('the process'));
  await new Promise((done) => setImmediate(done));
  expect(ended).toEqual([]);

  slow.reject(new Error('refused'));
  await Promise.all([answer, finished]);
  expect(ended.toSorted()).toEqual(['the process', 'the use case']);
  await expect(underWay.idle()).resolves.toBeUndefined();
});

test('what begins while others are waited for is waited for as well', async () => {
  const underWay = createInFlight();
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isIdle = false;
  void underWay.add(first.promise);
  const finished = underWay.idle().then(() => (isIdle = true));
  void underWay.add(second.promise);
  first.resolve();
  await new Promise((done) => setImmediate(done));
  expect([isIdle, underWay.count()]).toEqual([false, 1]);
  second.resolve();
  await finished;
  expect(underWay.count()).toBe(0);
});
