import { Secret } from '@cobro/contracts/secret.ts';
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret } from '../endpoints/webhook-secret.ts';
import { signed } from './signature.ts';

test('a program of Standard Webhooks verifies each of the secrets, and no other', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  const body = JSON.stringify({ name: 'Café ☕' });
  const headers = signed({ id: 'evt_1', at: new Date(), body }, secrets);
  for (const secret of secrets) expect(new Webhook(secret.reveal()).verify(body, headers)).toEqual({ name: 'Café ☕' });
  expect(() => new Webhook(newWebhookSecret().reveal()).verify(body, headers)).toThrow('signature');
  expect(() => new Webhook((secrets[0] as Secret<string>).reveal()).verify(`${body} `, headers)).toThrow('signature');
});

test('the example of Standard Webhooks has its signature', () => {
  const secret = new Secret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  const body = '{"test": 2432232314}';
  const headers = signed({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at: new Date(1_614_265_330_000), body }, [secret]);
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});
