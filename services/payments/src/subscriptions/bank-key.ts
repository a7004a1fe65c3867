import { createHash } from 'node:crypto';

/**
 * The idempotency key of a period's charge, a UUID v8. `attempt` counts its keys; one that was not sent is used again. A restored
 * database makes the same key again, so the bank charges once.
 */
export function bankKeyOf(subscriptionId: string, number: number, attempt: number): string {
  const hash = createHash('sha256').update(`${subscriptionId} ${number} ${attempt}`).digest().subarray(0, 16);
  hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x80, 6);
  hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
  return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
