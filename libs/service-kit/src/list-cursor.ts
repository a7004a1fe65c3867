import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { Secret } from '@cobro/contracts/secret.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';

/** How far a walk through a list has come. */
export interface Position {
  /** When the walk began, as Postgres writes it, because a Date has no microseconds. */
  walkBegan: string;
  /** Time and id of the last row that was shown. */
  createdAt: Date;
  id: string;
}

/** The list that a cursor was issued for. The cursor is refused for any other list. */
export interface ListIdentity {
  name: string;
  organizationId: string;
  filters: object;
}

const MAC_LENGTH = 32;

/** Makes a cursor: base64url of an HMAC-SHA-256 and the position. The HMAC also covers the list, which is not in the cursor. */
export function issueCursor([key]: KeyRing, list: ListIdentity, position: Position): string {
  const payload = Buffer.from(JSON.stringify([position.walkBegan, position.createdAt.getTime(), position.id]));
  return Buffer.concat([sign(key, list, payload), payload]).toString('base64url');
}

/** Refuses a cursor that `issueCursor` did not issue for this list. */
export function readCursor(keys: KeyRing, list: ListIdentity, cursor: string): Position {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(MAC_LENGTH);
  // Decoding ignores stray characters and spare bits, so the text itself is compared with what was issued.
  const genuine =
    bytes.length > MAC_LENGTH &&
    bytes.toString('base64url') === cursor &&
    keys.some((key) => timingSafeEqual(bytes.subarray(0, MAC_LENGTH), sign(key, list, payload)));
  if (!genuine) throw new Refusal('INVALID_CURSOR');
  const [walkBegan, createdAt, id] = JSON.parse(payload.toString()) as [string, number, string];
  return { walkBegan, createdAt: new Date(createdAt), id };
}

/**
 * The answer of a cursor list. `rows` are the rows that follow `after`, with one more than `limit` if there is a next page.
 */
export function cursorPage<R extends Position, T>(
  keys: KeyRing,
  list: ListIdentity,
  { limit, after, rows, show }: { limit: number; after: Position | undefined; rows: R[]; show: (row: R) => T },
) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor =
    rows.length <= limit || last === undefined
      ? null
      : issueCursor(keys, list, { ...last, walkBegan: after?.walkBegan ?? last.walkBegan });
  return { data: shown.map(show), pagination: { limit, hasMore: nextCursor !== null, nextCursor } };
}

function sign(key: Secret<Buffer>, list: ListIdentity, payload: Buffer): Buffer {
  const signed = JSON.stringify([list.name, list.organizationId, list.filters]);
  return createHmac('sha256', key.reveal()).update(signed).update('\0').update(payload).digest();
}
