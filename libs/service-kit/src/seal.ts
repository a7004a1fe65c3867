import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Secret } from '@cobro/contracts/secret.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * Encrypts by AES-256-GCM, with the first key, into nonce (12 bytes), tag (16) and ciphertext. `context` binds the value to its place,
 * so that a copy in another place does not open.
 */
export function seal([key]: KeyRing, context: string, value: Secret<string>): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key.reveal(), nonce).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(value.reveal(), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** Throws if none of the keys sealed it, if the context differs, or if a byte was changed. */
export function unseal([key, ...others]: KeyRing, context: string, sealed: Buffer): Secret<string> {
  const [next, ...rest] = others;
  try {
    return open(key, context, sealed);
  } catch (error) {
    if (next === undefined) throw error;
    return unseal([next, ...rest], context, sealed);
  }
}

/** Seals the content with the first key. Returns undefined if that key sealed it already. @throws like `unseal` */
export function reseal(keys: KeyRing, context: string, sealed: Buffer): Buffer | undefined {
  try {
    open(keys[0], context, sealed);
    return undefined;
  } catch {
    return seal(keys, context, unseal(keys, context, sealed));
  }
}

function open(key: Secret<Buffer>, context: string, sealed: Buffer): Secret<string> {
  const decipher = createDecipheriv('aes-256-gcm', key.reveal(), sealed.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(sealed.subarray(12, 28));
  return new Secret(Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8'));
}
