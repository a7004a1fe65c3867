import { randomBytes } from 'node:crypto';
import { z } from 'zod';

export const uuid = z.uuid({ error: 'must be a UUID' });
/** For an id that is compared with one of ours, which has small letters. Not for creations: their digest has ids as sent. */
export const comparedUuid = uuid.toLowerCase();

let pool = Buffer.alloc(0);
let used = 0;

/** A UUID v7. Its first 48 bits are the time, so that ids of one table lie close together in the table's index. */
export function newId(now: number = Date.now()): string {
  if (used + 10 > pool.length) {
    pool = randomBytes(4_000);
    used = 0;
  }
  const random = pool.subarray(used, (used += 10)).toString('hex');
  const time = now.toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(random.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}

/** The time of a UUID v7, in milliseconds of the epoch; undefined if the id is of another kind. */
export const timeOfId = (id: string): number | undefined =>
  id.at(14) === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;

/** Path parameters that are ids. A malformed id is a 400 that names the parameter. */
export const idParams = <K extends string>(...names: K[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, uuid])) as Record<K, typeof uuid>);
