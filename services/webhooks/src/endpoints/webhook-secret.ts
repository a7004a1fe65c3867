import { randomBytes } from 'node:crypto';
import { Secret } from '@cobro/contracts/secret.ts';

/** A new secret, in the form of Standard Webhooks: 32 random bytes. */
export const newWebhookSecret = (): Secret<string> => new Secret(`whsec_${randomBytes(32).toString('base64')}`);
