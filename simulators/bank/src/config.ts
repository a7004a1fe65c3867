import { clockConfig, processConfig } from '@cobro/service-kit/config.ts';
import { z } from 'zod';
import { plantedBug } from './planted-bug.ts';

export const config = z.object({
  ...processConfig,
  ...clockConfig,
  ACCEPTED_TOKENS: z
    .string()
    .optional()
    .transform((list) => list?.split(','))
    .refine((tokens) => tokens === undefined || tokens.length <= 2, { error: 'must be one token, or two with a comma' })
    .describe(
      'The bearer tokens of which a request of the protocol needs one: one, or two with a comma. Without it anybody may ask.',
    ),
  PLANTED_BUG: plantedBug
    .optional()
    .describe('How the bank is to break the protocol. For the tests of the conformance kit, and nothing else.'),
  LEDGER_PATH: z.string().min(1).describe('SQLite file of the bank’s books; made when it is not there.'),
});
