import { join } from 'node:path';
import { mainContracts, partnerContracts } from '@cobro/contracts/routes.ts';
import type { ServiceDefinition } from '@cobro/frame/definition.ts';
import { number, port, redisConfig } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

/** The door (keys, routes, limits) and the registry of organizations, partners and keys. */
export const gateway = {
  name: 'gateway',
  config: {
    PARTNER_PORT: port.describe('Port of the partner API.'),
    PEOPLE_PORT: port.describe(
      'Port on which the dashboard alone calls, for people. It must have no way in from outside.',
    ),
    ...redisConfig,
    TRUSTED_PROXY_HOPS: number(0).describe(
      'How many entries of X-Forwarded-For, from the right, our own proxies wrote; 0: none, the caller is who connects.',
    ),
    TRUST_TRACEPARENT: z
      .enum(['true', 'false'])
      .default('false')
      .describe(
        'Whether traces go on from `traceparent`: only behind a proxy of ours that writes it anew and passes on no caller’s. Otherwise each request begins a trace, with a link to the caller’s.',
      ),
  },
  migrations: join(import.meta.dirname, '../migrations'),
  /** Every other service with a contract that callers from outside may use. */
  calls: [...new Set([...mainContracts, ...partnerContracts].map(({ service }) => service))]
    .filter((service) => service !== 'gateway')
    .toSorted(),
  follows: [],
  usesBank: false,
  keepsJournal: false,
  isDoor: true,
} as const satisfies ServiceDefinition;
