import { createHash, randomBytes } from 'node:crypto';

const CODES = 10;
const BYTES = 10;
/** Without characters that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz023456789';

/** Ten codes of 80 bits, in groups of four letters and digits. */
export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode);

function newCode(): string {
  let bits = BigInt(`0x${randomBytes(BYTES).toString('hex')}`);
  let text = '';
  for (let i = 0; i < (BYTES * 8) / 5; i++) {
    text += LETTERS[Number(bits & 31n)];
    bits >>= 5n;
  }
  return text.replaceAll(/(.{4})(?=.)/g, '$1-');
}

/** 80 random bits need no slow hash. */
export const hashOfCode = (code: string): Buffer =>
  createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
    .digest();
