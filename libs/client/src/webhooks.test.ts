import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { webhooks, WebhookVerificationError } from './webhooks.ts';

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
const now = new Date('2026-11-24T04:00:00Z');
const body = JSON.stringify({ type: 'payment.confirmed', data: { id: 'ñ' } });
const signedBy = (...secrets: string[]) => secrets.map((one) => new Webhook(one).sign('msg_1', now, body)).join(' ');
const headers = {
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(now.getTime() / 1_000),
  'webhook-signature': signedBy(secret),
};

describe('what the package standardwebhooks has signed is verified', () => {
  test.each<[string, Parameters<typeof webhooks.verify>]>([
    ['with the headers of Node', [body, headers, secret, now]],
    ['with the headers of fetch', [body, new Headers(headers), secret, now]],
    ['from bytes', [Buffer.from(body), headers, secret, now]],
    ['while a secret turns', [body, { ...headers, 'webhook-signature': signedBy(other, secret) }, secret, now]],
    ['five minutes later', [body, headers, secret, new Date(now.getTime() + 300_000)]],
  ])('%s', (_name, given) => {
    expect(webhooks.verify(...given)).toEqual(JSON.parse(body));
  });
});

describe('what is refused', () => {
  test.each<[string, Parameters<typeof webhooks.verify>]>([
    ['another body', [body.replace('confirmed', 'refunded'), headers, secret, now]],
    ['another secret', [body, headers, other, now]],
    ['another id', [body, { ...headers, 'webhook-id': 'msg_2' }, secret, now]],
    ['an old one', [body, headers, secret, new Date(now.getTime() + 301_000)]],
    ['one from the future', [body, headers, secret, new Date(now.getTime() - 301_000)]],
    ['a timestamp that is none', [body, { ...headers, 'webhook-timestamp': 'now' }, secret, now]],
    ['no signature', [body, { ...headers, 'webhook-signature': undefined }, secret, now]],
    [
      'a signature of another version',
      [body, { ...headers, 'webhook-signature': signedBy(secret).replace('v1', 'v2') }, secret, now],
    ],
    ['half a signature', [body, { ...headers, 'webhook-signature': 'v1,AAAA' }, secret, now]],
    ['a signature without content', [body, { ...headers, 'webhook-signature': 'v1' }, secret, now]],
  ])('%s', (_name, given) => {
    expect(() => webhooks.verify(...given)).toThrow(WebhookVerificationError);
  });
});
