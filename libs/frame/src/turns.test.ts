import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { until } from '@cobro/testing/until.ts';
import { createTurns } from './turns.ts';

/** Turns whose works run until they are ended, and the order in which they began. */
function watchedTurns(options: { withinMs?: number; restMs?: (tookMs: number, waitingForMs: number) => number } = {}) {
  const inTurn = createTurns({
    perCaller: 2,
    withinMs: options.withinMs ?? 60_000,
    refusal: () => new Error('not your turn'),
    restMs: options.restMs ?? (() => 0),
  });
  const begun: string[] = [];
  const ask = (caller: string, name: string) => {
    const over = Promise.withResolvers<void>();
    const answer = inTurn(caller, async () => {
      begun.push(name);
      await over.promise;
      return name;
    });
    return { answer, end: over.resolve, fail: over.reject };
  };
  return { ask, begun };
}

test('two works of a caller run at once, and the third begins when one of them has ended or failed', async () => {
  const { ask, begun } = watchedTurns();
  const [one, two, three, four] = ['one', 'two', 'three', 'four'].map((name) => ask('a', name));
  await sleep(10);
  expect(begun).toEqual(['one', 'two']);
  one?.end();
  expect(await one?.answer).toBe('one');
  await until('the third begins', () => begun.includes('three'));
  expect(begun).toEqual(['one', 'two', 'three']);
  two?.fail(new Error('of the work itself'));
  await expect(two?.answer).rejects.toThrow('of the work itself');
  await until('the fourth begins', () => begun.includes('four'));
  for (const it of [three, four]) it?.end();
  expect(await Promise.all([three?.answer, four?.answer])).toEqual(['three', 'four']);
});

test('a caller that has to wait for too long is refused, while another caller waits for nobody', async () => {
  const { ask, begun } = watchedTurns({ withinMs: 50 });
  const running = [ask('a', 'one'), ask('a', 'two')];
  await expect(ask('a', 'three').answer).rejects.toThrow('not your turn');
  const other = ask('b', 'of another');
  await until('the other begins', () => begun.includes('of another'));
  for (const it of [...running, other]) it.end();
  expect(await Promise.all([...running, other].map(({ answer }) => answer))).toEqual(['one', 'two', 'of another']);
  expect(begun).not.toContain('three');
});

test('while works of a caller wait, a turn rests after a work, though the caller has its answer', async () => {
  const waited: number[] = [];
  const restMs = (_tookMs: number, waitingForMs: number) => {
    waited.push(waitingForMs);
    return waitingForMs > 0 ? 60_000 : 0;
  };
  const { ask, begun } = watchedTurns({ restMs, withinMs: 500 });
  const [one, two] = [ask('a', 'one'), ask('a', 'two')];
  const waiting = [ask('a', 'three'), ask('a', 'four')];
  await sleep(5);
  one.end();
  expect(await one.answer).toBe('one');
  for (const { answer } of waiting) await expect(answer).rejects.toThrow('not your turn');
  two.end();
  expect(await two.answer).toBe('two');
  // The second ended when no work waited any more, so its turn is free at once.
  const five = ask('a', 'five');
  five.end();
  expect(await five.answer).toBe('five');
  expect(begun).toEqual(['one', 'two', 'five']);
  await until('each turn has rested', () => waited.length === 3);
  expect(waited.map((ms) => ms > 0)).toEqual([true, false, false]);
});
