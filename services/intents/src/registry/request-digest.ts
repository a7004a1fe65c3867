import { createHash } from 'node:crypto';

/** Of what was sent. The schema gives the fields one order. */
export const digestOf = (asked: object): Buffer => createHash('sha256').update(JSON.stringify(asked)).digest();

export const isSameRequest = ({ requestDigest }: { requestDigest: Buffer | null }, digest: Buffer): boolean =>
  requestDigest?.equals(digest) ?? false;
