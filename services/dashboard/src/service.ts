import { join } from 'node:path';
import type { ServiceDefinition } from '@cobro/frame/definition.ts';
import { bankProxy, number, port, secretKeys, url } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

/** The pages where people sign in, see their money and act: a client of the public API, called as the signed-in person. */
export const dashboard = {
  name: 'dashboard',
  config: {
    DASHBOARD_PORT: port.describe('Port of the pages.'),
    DASHBOARD_BASE_URL: z
      .url()
      .refine((address) => /^(https:\/\/|http:\/\/localhost(:\d+)?\/?$)/.test(address), {
        error: 'must be https, or http://localhost',
      })
      .describe(
        'Address of the pages as browsers know it: https, or http://localhost. Forms are taken from it alone, and links in invitations begin with it.',
      ),
    API_BASE_URL: url
      .optional()
      .describe(
        'Address of the API as merchants know it; ends in /api. Commands on the page of a new key begin with it.',
      ),
    DASHBOARD_KEY: secretKeys.describe(
      'Key ring: AES-256-GCM key of second factors at rest, and of the cookie by which a browser is known again. Secret.',
    ),
    ISSUERS_ON_LOOPBACK: z
      .enum(['true', 'false'])
      .default('false')
      .describe(
        'With `true` owners may enter issuers of OpenID Connect on this machine’s own loopback addresses, and by http: for a developer’s machine. Refused where `KEY_MODE` is live.',
      ),
    EGRESS_PROXY: bankProxy.describe(
      'Proxy through which issuers are reached, by CONNECT to the address that was checked. May hold a user and password. Secret.',
    ),
    TRUSTED_PROXY_HOPS: number(0).describe(
      'How many entries of X-Forwarded-For, from the right, our own proxies wrote; 0: none, the caller is who connects.',
    ),
  },
  migrations: join(import.meta.dirname, '../migrations'),
  insertOnly: ['audit'],
  calls: ['gateway'],
  follows: ['OrganizationRegistered', 'OrganizationChanged', 'KeyCreated', 'KeyRevoked'],
  sendsOutside: true,
  usesBank: false,
  keepsJournal: false,
} as const satisfies ServiceDefinition;
