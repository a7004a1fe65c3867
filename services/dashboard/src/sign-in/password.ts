import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createSemaphore } from '@cobro/async/semaphore.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';

const FEWEST_CHARACTERS = 12;
const MOST_CHARACTERS = 128;

/** 19 MiB, two passes, one lane: OWASP's minimum. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
/** More at once would take the memory and the processor from everything else here. */
const AT_ONCE = 4;
/** How long a computation waits for its turn. */
const PATIENCE_MS = 1_000;

const derive = promisify(argon2);
/** One account computes one at a time, so that repeated attempts on it keep nobody else out. */
const permits = createSemaphore({
  permits: AT_ONCE,
  perKey: 1,
  patience: { withinMs: PATIENCE_MS, refusal: () => new Refusal('SERVICE_UNAVAILABLE') },
});

/** Unicode has several ways to write the same letter, and keyboards differ in which one they send. */
const normalized = (password: string) => password.normalize('NFC');

export const isLongEnough = (password: string): boolean => {
  const { length } = [...normalized(password)];
  return length >= FEWEST_CHARACTERS && length <= MOST_CHARACTERS;
};

/** `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. @throws Refusal SERVICE_UNAVAILABLE if its turn has not come within a second */
export async function hashPassword(email: string, password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const { memory, passes, parallelism } = COST;
  const hash = await tagOf(email, password, salt, COST);
  const [saltText, hashText] = [salt, hash].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${saltText}$${hashText}`;
}

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/;
/** Nobody's hash: to check it takes as long as to check a person's. */
const NOBODYS = `$argon2id$v=19$m=19456,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/**
 * Whether this is the password. The answer takes the same time if there is no person (`kept` is undefined), or no password (`kept` is no
 * hash).
 * @throws Refusal SERVICE_UNAVAILABLE if its turn has not come within a second
 */
export async function isPassword(email: string, password: string, kept: string | undefined): Promise<boolean> {
  const own = FORM.exec(kept ?? '');
  const [, m, t, p, salt = '', hash = ''] = own ?? FORM.exec(NOBODYS) ?? [];
  const cost = { memory: Number(m), passes: Number(t), parallelism: Number(p) };
  const tag = await tagOf(email, password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(tag, Buffer.from(hash, 'base64')) && own !== null;
}

const tagOf = (email: string, password: string, nonce: Buffer, cost: typeof COST): Promise<Buffer> =>
  permits.run(() => derive('argon2id', { message: normalized(password), nonce, tagLength: TAG_BYTES, ...cost }), email);
