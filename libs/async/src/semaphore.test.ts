import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createSemaphore, type SemaphoreOptions } from './semaphore.ts';

/** Works that run until they are ended, and the order of their beginnings. */
function watched(options: SemaphoreOptions) {
  const semaphore = createSemaphore(options);
  const begun: string[] = [];
  const run = (name: string, key?: string) => {
    const over = Promise.withResolvers<void>();
    const result = semaphore.run(async () => {
      begun.push(name);
      await over.promise;
      return name;
    }, key);
    return { result, end: over.resolve, fail: over.reject };
  };
  return { semaphore, begun, run };
}

test('no more run at once than there are permits; the next begins when one has ended or failed', async () => {
  const { begun, run } = watched({ permits: 2 });
  const [one, two, three, four] = [run('one'), run('two'), run('three'), run('four')];
  await nextTurn();
  expect(begun).toEqual(['one', 'two']);
  one.end();
  expect(await one.result).toBe('one');
  await nextTurn();
  expect(begun).toEqual(['one', 'two', 'three']);
  two.fail(new Error('of the work itself'));
  await expect(two.result).rejects.toThrow('of the work itself');
  three.end();
  four.end();
  expect(await Promise.all([three.result, four.result])).toEqual(['three', 'four']);
});

test('a key has no more than its share, and keys that wait take turns', async () => {
  const { begun, run } = watched({ permits: 3, perKey: 2 });
  const works = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => run(name, name.slice(0, 1)));
  await nextTurn();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  for (const { end } of works) end();
  await Promise.all(works.map(({ result }) => result));
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'c1', 'a4']);
});

test('work that waits for too long fails, and never runs', async () => {
  const patience = { withinMs: 20, refusal: () => new Error('no permit') };
  const { begun, run, semaphore } = watched({ permits: 1, patience });
  const first = run('first');
  await expect(run('second').result).rejects.toThrow('no permit');
  first.end();
  expect(await first.result).toBe('first');
  expect(begun).toEqual(['first']);
  expect(semaphore.tryAcquire()).toBe(true);
  expect(semaphore.tryAcquire()).toBe(false);
  const waiting = run('third');
  await sleep(5);
  semaphore.release();
  waiting.end();
  expect(await waiting.result).toBe('third');
});
