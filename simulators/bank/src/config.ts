import { clockConfig, processConfig } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

export const config = z.object({
  ...processConfig,
  ...clockConfig,
  LEDGER_PATH: z.string().min(1).describe('SQLite file of the bank’s books; made when it is not there.'),
});
