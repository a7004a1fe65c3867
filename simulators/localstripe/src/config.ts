import { processConfig } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

export const config = z.object(processConfig);
