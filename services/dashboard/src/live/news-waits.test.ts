import { expect, test } from '@jest/globals';
import { createNewsWaits } from './news-waits.ts';

function waiters() {
  const wait = createNewsWaits();
  const begun: { everybodyLeft: AbortSignal; answer: (news: string) => void }[] = [];
  return {
    begun,
    wait: (sessionId: string, key: string) => {
      const leaving = new AbortController();
      const begin = (everybodyLeft: AbortSignal) =>
        new Promise<string>((answer) => void begun.push({ everybodyLeft, answer }));
      return { answer: wait({ sessionId, key, left: leaving.signal, begin }), leave: () => leaving.abort() };
    },
  };
}

test('browsers that wait for the same share one request, which ends once all are gone', async () => {
  const { begun, wait } = waiters();
  const [one, other, elsewhere] = [wait('a', 'x'), wait('b', 'x'), wait('c', 'y')];
  expect(begun.length).toBe(2);
  one.leave();
  expect(begun[0]?.everybodyLeft.aborted).toBe(false);
  begun[0]?.answer('news');
  expect(await other.answer).toBe('news');
  elsewhere.leave();
  expect(begun[1]?.everybodyLeft.aborted).toBe(true);
  wait('c', 'y');
  wait('b', 'x');
  expect(begun.length).toBe(4);
});

test('a session waits four times at most, and again once one is gone', () => {
  const { wait } = waiters();
  const [first] = ['x', 'y', 'x', 'y'].map((key) => wait('a', key));
  expect(() => wait('a', 'x')).toThrow(expect.objectContaining({ code: 'RATE_LIMIT_EXCEEDED' }));
  wait('b', 'x');
  first?.leave();
  wait('a', 'x');
});
