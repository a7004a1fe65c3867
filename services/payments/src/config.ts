import { bankConfig, secretKey, serviceConfig, signingConfig, url } from '@cobro/service-kit/config.ts';
import { z } from 'zod';

export const config = z.object({
  ...serviceConfig,
  ...signingConfig,
  ...bankConfig,
  HOLDS_URL: url,
  VAULT_KEY: secretKey,
  CARD_FINGERPRINT_KEY: secretKey,
});
