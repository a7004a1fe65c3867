import { randomBytes } from 'node:crypto';
import { testEnvironment } from './test-environment.ts';

/** A prefix of keys that nobody else uses. Its keys are dropped when all tests are done. */
export function testRedis(): { url: string; prefix: string } {
  const { id, redis } = testEnvironment();
  return { url: redis.url, prefix: `cobro-${id}:t${randomBytes(4).toString('hex')}:` };
}
