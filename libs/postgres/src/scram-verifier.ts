import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

const ITERATIONS = 4_096;

/**
 * The verifier that Postgres keeps of a password (RFC 5803). It is sent instead of the password, because the server may log the statement.
 * @throws if the password is not printable ASCII, because clients prepare other characters in different ways
 */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  if (!/^[ -~]+$/.test(password)) throw new Error('a password of a role has to be of printable ASCII');
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${keyed('Server Key').toString('base64')}`;
}
