import { expect, test } from '@jest/globals';
import { hashPassword, isPassword } from './password.ts';

test('whoever sends the right password again and again keeps nobody else out', async () => {
  const password = 'a long enough password';
  const kept = await hashPassword('ana@example.com', password);
  let looked = 0;
  const flood = Array.from({ length: 40 }, async () => {
    await isPassword('ana@example.com', password, kept);
    looked++;
  });
  const settled = Promise.allSettled(flood);
  expect(await isPassword('luis@example.com', password, kept)).toBe(true);
  expect(looked).toBeLessThan(20);
  const refused = (await settled).filter(({ status }) => status === 'rejected');
  for (const one of refused) expect(one).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
});

test('without a person the answer is no', async () => {
  expect(await isPassword('nobody@example.com', 'a long enough password', undefined)).toBe(false);
});
