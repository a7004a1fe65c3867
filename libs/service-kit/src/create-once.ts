import { createHash } from 'node:crypto';
import { Refusal, type RefusalCode } from '@cobro/contracts/refusals.ts';
import { refuseCardData } from '@cobro/contracts/text.ts';

/** SHA-256 of the request as sent, before defaults. The schema gives the fields one order. */
export function digestOf(asked: object): Buffer {
  const json = JSON.stringify(asked, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return createHash('sha256').update(json).digest();
}

export interface Creation<Row, Body> {
  /** The caller's own id, by which a repeated request is recognized. */
  key: string | undefined;
  /** Finds what an earlier request with this key made. */
  find: (key: string) => Promise<Row | undefined>;
  /** Whether that request asked for the same. */
  isSame: (row: Row) => boolean;
  /** Checks all other conditions, and inserts. Returns undefined if another request has taken the key meanwhile. */
  insert: () => Promise<Row | undefined>;
  show: (row: Row) => Body;
  /** The refusal of a key that was used for a different request. */
  mismatch?: RefusalCode;
}

/** Answers 201 with the new row, or with the row that the same request made before. Repeated and concurrent requests make one row. */
export async function createOnce<Row, Body>(creation: Creation<Row, Body>) {
  const { key, find, isSame, insert, show, mismatch = 'EXTERNAL_ID_MISMATCH' } = creation;
  const replay = (row: Row) => {
    if (!isSame(row)) throw new Refusal(mismatch);
    return { status: 201 as const, body: show(row), headers: { 'Idempotent-Replayed': 'true' } };
  };
  const earlier = key === undefined ? undefined : await find(key);
  if (earlier !== undefined) return replay(earlier);
  refuseCardData(key);
  const made = await insert();
  if (made !== undefined) return { status: 201 as const, body: show(made) };
  const winner = key === undefined ? undefined : await find(key);
  if (winner === undefined) throw new Error('a conflict without a row');
  return replay(winner);
}
