import type { Secret } from '@cobro/contracts/secret.ts';
import { unseal } from '@cobro/service-kit/seal.ts';
import type { Deps } from '../deps.ts';
import type { PaymentMethodRow } from './payment-method.row.ts';

/** The vault's token of an active card. */
export function tokenOf({ vaultKeys }: Deps, { id, sealedToken }: PaymentMethodRow): Secret<string> {
  if (sealedToken === null) throw new Error('an active card without a token');
  return unseal(vaultKeys, id, sealedToken);
}
