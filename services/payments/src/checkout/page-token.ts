import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@cobro/contracts/secret.ts';
import { byEach, type KeyRing } from '@cobro/service-kit/key-ring.ts';

/** How long a page may stay open before its form must be shown anew. Milliseconds of real time. */
const LIFETIME_MS = 24 * 3_600_000;
const MAC_LENGTH = 16;
const PAYLOAD_LENGTH = 22;

/**
 * Makes a form's token: base64url of a MAC, the time and 16 random bytes. It is bound to what is paid and not stored: the payment
 * keeps its digest or attempt id.
 */
export function issuePageToken([key]: KeyRing, linkId: string, now: number = Date.now()): string {
  const payload = Buffer.alloc(PAYLOAD_LENGTH);
  payload.writeUIntBE(now, 0, 6);
  randomBytes(16).copy(payload, 6);
  return Buffer.concat([sign(key, 'form', linkId, payload), payload]).toString('base64url');
}

/** Whether we issued this token for this link less than LIFETIME_MS ago. */
export function isPageToken(keys: KeyRing, linkId: string, token: string, now: number = Date.now()): boolean {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== MAC_LENGTH + PAYLOAD_LENGTH || bytes.toString('base64url') !== token) return false;
  const payload = bytes.subarray(MAC_LENGTH);
  const mac = bytes.subarray(0, MAC_LENGTH);
  if (!keys.some((key) => timingSafeEqual(mac, sign(key, 'form', linkId, payload)))) return false;
  return now - payload.readUIntBE(0, 6) < LIFETIME_MS;
}

/** The id of the one attempt that a form makes to pay a payment link: its token's random bytes, as a UUID. */
export function attemptIdOf(token: string): string {
  const bytes = Buffer.from(token, 'base64url').subarray(-16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * Names the attempt that a form makes with a card: the same form with the same card is the same attempt. The first digest is kept
 * with the payment; the others find an attempt from before a key was turned over.
 */
export const attemptDigests = (
  keys: KeyRing,
  token: string,
  cardFingerprints: readonly [Buffer, ...Buffer[]],
): [Buffer, ...Buffer[]] => {
  const [first, ...others] = cardFingerprints.flatMap((fingerprint) =>
    byEach(keys, (key) =>
      createHmac('sha256', key.reveal()).update('attempt\0').update(token).update('\0').update(fingerprint).digest(),
    ),
  );
  return [first as Buffer, ...others];
};

/** The `?attempt=` value for a decline by the vault, which leaves no payment behind. */
export const declineNote = ([key]: KeyRing, linkId: string, declineCode: string): string =>
  `${declineCode}.${sign(key, 'note', linkId, declineCode).toString('base64url')}`;

/** Returns the decline code of a note that we wrote for this link. */
export function readDeclineNote(keys: KeyRing, linkId: string, note: string): string | undefined {
  const [declineCode = ''] = note.split('.', 1);
  return keys.some((key) => declineNote([key], linkId, declineCode) === note) ? declineCode : undefined;
}

/** Signs the purpose too, so that nothing signed as a note is taken for a form's token. */
const sign = (key: Secret<Buffer>, what: 'form' | 'note', linkId: string, payload: Buffer | string): Buffer =>
  createHmac('sha256', key.reveal()).update(`${what}\0${linkId}\0`).update(payload).digest().subarray(0, MAC_LENGTH);
