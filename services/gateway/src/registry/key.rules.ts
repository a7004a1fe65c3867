/** The form of API keys: `<prefix>_` + 32 random bytes (43 digits of base 62) + CRC-32 of all that comes before (6 digits). */

export type KeyMode = 'live' | 'test';

/** What the text of a key says. Whether such a key exists, only the database knows. */
export type KeyForm = { kind: 'merchant'; mode: KeyMode } | { kind: 'partner' } | { kind: 'terminal' };

const FORMS: Record<string, KeyForm> = {
  sk_live: { kind: 'merchant', mode: 'live' },
  sk_test: { kind: 'merchant', mode: 'test' },
  pk: { kind: 'partner' },
  tk: { kind: 'terminal' },
};
const KEY = /^(sk_live|sk_test|pk|tk)_[0-9A-Za-z]{49}$/;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 43;
const CHECK_DIGITS = 6;

function prefixOf(form: KeyForm): string {
  switch (form.kind) {
    case 'merchant':
      return `sk_${form.mode}`;
    case 'partner':
      return 'pk';
    case 'terminal':
      return 'tk';
  }
}

/** The key made from these 32 random bytes. */
export function formatKey(form: KeyForm, random: Uint8Array): string {
  const value = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const body = `${prefixOf(form)}_${base62(value, RANDOM_DIGITS)}`;
  return body + checksum(body);
}

/** Undefined for text that cannot be a key, such as a mistyped one. */
export function parseKey(text: string): KeyForm | undefined {
  const prefix = KEY.exec(text)?.[1];
  if (prefix === undefined) return undefined;
  return checksum(text.slice(0, -CHECK_DIGITS)) === text.slice(-CHECK_DIGITS) ? FORMS[prefix] : undefined;
}

const checksum = (text: string) => base62(BigInt(crc32(text)), CHECK_DIGITS);

function base62(value: bigint, digits: number): string {
  let text = '';
  for (let rest = value; text.length < digits; rest /= 62n) text = DIGITS.charAt(Number(rest % 62n)) + text;
  return text;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ text.charCodeAt(i)) & 0xff] ?? 0);
  return ~crc >>> 0;
}
