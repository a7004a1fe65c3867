import { Secret } from '@cobro/contracts/secret.ts';
import type { KeyRing } from '@cobro/service-kit/key-ring.ts';
import { unseal } from '@cobro/service-kit/seal.ts';
import { z } from 'zod';

const tappedCard = z.object({
  token: z.string().transform((token) => new Secret(token)),
  fundingSource: z.string(),
  issuingBank: z.string(),
});
export type TappedCardFacts = z.output<typeof tappedCard>;

/** Opens what intents sealed for this payment: the vault's single-use token, and the vault's facts about the card. */
export const openTappedCard = (keys: KeyRing, paymentId: string, sealed: Buffer): TappedCardFacts =>
  tappedCard.parse(JSON.parse(unseal(keys, paymentId, sealed).reveal()));
