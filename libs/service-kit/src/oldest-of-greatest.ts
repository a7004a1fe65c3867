/**
 * Chooses what is given up if all callers together take too much memory: the oldest thing of the caller who has the most bytes.
 * `all` has the oldest first, and at least one thing has bytes. `take` gives a thing's caller and bytes.
 */
export function oldestOfGreatest<T>(all: Iterable<T>, take: (thing: T) => readonly [caller: string, bytes: number]): T {
  const sums = new Map<string, number>();
  const oldest = new Map<string, T>();
  for (const thing of all) {
    const [caller, bytes] = take(thing);
    sums.set(caller, (sums.get(caller) ?? 0) + bytes);
    if (bytes > 0 && !oldest.has(caller)) oldest.set(caller, thing);
  }
  const [greatest] = [...sums].reduce((one, other) => (other[1] > one[1] ? other : one));
  return oldest.get(greatest) as T;
}
