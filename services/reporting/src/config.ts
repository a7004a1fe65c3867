import { secretKey, serviceConfig } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

export const config = z.object({ ...serviceConfig, CURSOR_KEY: secretKey });
