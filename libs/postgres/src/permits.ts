import { DatabaseUnavailable } from './unavailable.ts';

const noConnection = () => new DatabaseUnavailable('pool', new Error('no connection came free in time'));

/** Runs at most `count` works at once. Work that could not begin within `withinMs` fails with what `refusal` makes. */
export function createPermits(
  count: number,
  withinMs: number,
  refusal: () => Error = noConnection,
): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting = new Set<() => void>();
  const giveBack = () => {
    const [next] = waiting;
    if (next === undefined) free++;
    else next();
  };
  const comeFree = () =>
    new Promise<void>((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        waiting.delete(begin);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        reject(refusal());
      }, withinMs);
      waiting.add(begin);
    });
  return async (work) => {
    if (free > 0) free--;
    else await comeFree();
    try {
      return await work();
    } finally {
      giveBack();
    }
  };
}
