import { putLast } from '@cobro/limits/bounded-map.ts';

/** Remembers when each key was used last, until that is written down. */
export interface KeyUses {
  note(id: string): void;
  /** Returns the uses to write now: each key's last one, at most once a minute. */
  due(): { id: string; at: Date }[];
  /** Notes that these were written down. */
  written(uses: readonly { id: string; at: Date }[]): void;
}

/** Each key is written at most this often. */
const EVERY_MS = 60_000;
/** As many keys as the key cache remembers. */
const MOST = 50_000;

interface Use {
  usedAt: number;
  /** The last use that was written down, and when it was written. */
  writtenUntil: number;
  writtenAt: number;
}

/** @param now real time in milliseconds of the epoch */
export function createKeyUses(now: () => number): KeyUses {
  const uses = new Map<string, Use>();
  return {
    note: (id) => {
      const use = uses.get(id);
      if (use === undefined) putLast(uses, MOST, id, { usedAt: now(), writtenUntil: 0, writtenAt: 0 });
      else use.usedAt = now();
    },
    due: () => {
      const before = now() - EVERY_MS;
      const due: { id: string; at: Date }[] = [];
      for (const [id, { usedAt, writtenUntil, writtenAt }] of uses) {
        if (writtenAt > before) continue;
        if (usedAt > writtenUntil) due.push({ id, at: new Date(usedAt) });
        else uses.delete(id);
      }
      return due;
    },
    written: (written) => {
      for (const { id, at } of written) {
        const use = uses.get(id);
        if (use !== undefined) Object.assign(use, { writtenUntil: at.getTime(), writtenAt: now() });
      }
    },
  };
}
