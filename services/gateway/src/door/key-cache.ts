import { putLast } from '@cobro/limits/bounded-map.ts';
import type { ActiveKey, KeyChanges } from '../registry/key.store.ts';

export interface KeyCache {
  /** Returns the key with this hash, or undefined if it does not exist or has ended. Rejects if that cannot be read. */
  find(hash: string): Promise<ActiveKey | undefined>;
  /** Reads which keys have changed and forgets those. Every replica does so every 500 ms. */
  evictChanged(): Promise<void>;
}

export interface KeyCacheOptions {
  find: (hash: string) => Promise<ActiveKey | undefined>;
  findChanged: (position: string | undefined) => Promise<KeyChanges>;
  /** Real time in milliseconds; monotonic. */
  now: () => number;
  /** The time of day. A replaced key ends by it. */
  timeOfDay: () => Date;
}

/** If changes could not be read for this long, no remembered key is trusted any more. */
const BELIEVED_MS = 30_000;
const UNKNOWN_MS = 1_000;
const MOST_KNOWN = 50_000;
const MOST_UNKNOWN = 10_000;

interface LookUp {
  generation: number;
  key: Promise<ActiveKey | undefined>;
}

export function createKeyCache(options: KeyCacheOptions): KeyCache {
  const { now } = options;
  const known = new Map<string, ActiveKey>();
  /** Until when each hash counts as unknown. */
  const unknown = new Map<string, number>();
  const lookUps = new Map<string, LookUp>();
  /** Rises with each eviction, because a look-up that began before an eviction may have read what was evicted. */
  let generation = 0;
  let position: string | undefined;
  let believedUntil = Number.NEGATIVE_INFINITY;

  const forgetAll = () => [known, unknown].forEach((all) => all.clear());
  const remember = (hash: string, key: ActiveKey | undefined) => {
    if (key === undefined) putLast(unknown, MOST_UNKNOWN, hash, now() + UNKNOWN_MS);
    else putLast(known, MOST_KNOWN, hash, key);
  };

  const read = async (hash: string, since: number) => {
    try {
      const key = await options.find(hash);
      if (since === generation && now() <= believedUntil) remember(hash, key);
      return key;
    } finally {
      if (lookUps.get(hash)?.generation === since) lookUps.delete(hash);
    }
  };

  /** Requests with one key share a look-up, unless that look-up began before an eviction. */
  const lookUp = (hash: string): Promise<ActiveKey | undefined> => {
    const running = lookUps.get(hash);
    if (running?.generation === generation) return running.key;
    const key = read(hash, generation);
    lookUps.set(hash, { generation, key });
    return key;
  };

  const remembered = (hash: string): Promise<ActiveKey | undefined> => {
    if (now() > believedUntil) {
      forgetAll();
      return lookUp(hash);
    }
    const key = known.get(hash);
    if (key !== undefined) return Promise.resolve(key);
    if ((unknown.get(hash) ?? Number.NEGATIVE_INFINITY) > now()) return Promise.resolve(undefined);
    return lookUp(hash);
  };
  /** A remembered key ends by the clock, even if the database is away and no change is read. */
  const hasEnded = ({ revokeAt }: ActiveKey) => revokeAt !== null && revokeAt <= options.timeOfDay();

  return {
    find: async (hash) => {
      const key = await remembered(hash);
      return key === undefined || hasEnded(key) ? undefined : key;
    },
    evictChanged: async () => {
      const asked = now();
      const from = position;
      position = undefined;
      const changes = await options.findChanged(from);
      // After a failed read or a failover, the changes in between are not known.
      const begunAnew = from === undefined || BigInt(changes.position) < BigInt(from);
      // A look-up that is still running may have read an older state.
      if (changes.hashes.length > 0 || begunAnew) generation++;
      if (begunAnew) forgetAll();
      for (const hash of changes.hashes) for (const all of [known, unknown]) all.delete(hash);
      position = changes.position;
      believedUntil = asked + BELIEVED_MS;
    },
  };
}
