import { Secret } from '@cobro/contracts/secret.ts';
import { expect, test } from '@jest/globals';
import { uuid } from '@cobro/contracts/ids.ts';
import { attemptIdOf, declineNote, isPageToken, issuePageToken, readDeclineNote } from './page-token.ts';

const LINK = '0199c1d2-0000-7000-8000-000000000001';
const keys = [new Secret(Buffer.alloc(32, 1))] as const;

test('a form’s token is good for its link and a day', () => {
  const now = Date.now();
  const token = issuePageToken(keys, LINK, now);
  expect(isPageToken(keys, LINK, token, now + 86_399_999)).toBe(true);
  expect(isPageToken(keys, LINK, token, now + 86_400_000)).toBe(false);
  expect(isPageToken(keys, LINK.replace('1', '2'), token, now)).toBe(false);
});

test('each form has an attempt of its own, which its token names', () => {
  const [one, other] = [issuePageToken(keys, LINK), issuePageToken(keys, LINK)];
  expect(attemptIdOf(one)).toBe(attemptIdOf(one));
  expect(attemptIdOf(one)).not.toBe(attemptIdOf(other));
  expect(uuid.safeParse(attemptIdOf(one)).success).toBe(true);
});

test('a note of a decline is no form’s token, whatever its code', () => {
  for (const code of ['not_processed', 'do_not_honor', 'thirteen-char', 'x'.repeat(22), 'x'.repeat(12)]) {
    const note = declineNote(keys, LINK, code);
    expect(readDeclineNote(keys, LINK, note)).toBe(code);
    const mac = Buffer.from(note.slice(code.length + 1), 'base64url');
    for (const payload of [`declined ${code}`, code]) {
      const forged = Buffer.concat([mac, Buffer.from(payload)]).toString('base64url');
      expect(isPageToken(keys, LINK, forged)).toBe(false);
    }
  }
});
