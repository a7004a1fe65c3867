import { bankConfig, serviceConfig, signingConfig, url } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

export const config = z.object({ ...serviceConfig, ...signingConfig, ...bankConfig, PAYMENTS_URL: url });
