import { newId } from '@cobro/contracts/ids.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createOneTimePayment as contract } from '@cobro/contracts/routes/one-time-payments.ts';
import { createOnce, digestOf } from '@cobro/service-kit/create-once.ts';
import { billingFacts } from '../cards/billing.ts';
import type { Deps } from '../deps.ts';
import { requireSeller } from '../salespeople/attribution.ts';
import { checkoutUrlOf, expiryOf, showOneTimePayment } from './one-time-payment.rules.ts';
import { findLinkByExternalId, insertOneTimePayment } from './one-time-payment.store.ts';

/** POST /one-time-payment: 201 with the address of its page. Repeating the same request under its externalId makes no other link. */
export async function createOneTimePayment(
  deps: Deps,
  { caller: { organizationId }, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const asked = readBody();
  const requestDigest = digestOf(asked);
  const { salespersonId = null } = asked;
  const now = deps.clock.now();
  return createOnce({
    key: asked.externalId,
    find: (externalId) => findLinkByExternalId(deps.db, organizationId, externalId),
    isSame: (row) => row.requestDigest.equals(requestDigest),
    insert: async () => {
      if (salespersonId !== null) await requireSeller(deps, { organizationId, salespersonId }, deadline);
      return insertOneTimePayment(deps.db, {
        id: newId(now.getTime()),
        organizationId,
        externalId: asked.externalId ?? null,
        requestDigest,
        description: asked.description,
        amount: asked.amount,
        currency: 'MXN',
        expiresAt: expiryOf(asked.expiresAt, now),
        redirectUrl: asked.redirectUrl ?? null,
        homepageUrl: asked.homepageUrl ?? null,
        allowedTerms: asked.allowedTerms ?? [1],
        billing: billingFacts(asked.billingInformation),
        salespersonId,
        createdAt: now,
        updatedAt: now,
      });
    },
    show: (row) => ({ ...showOneTimePayment(row), checkoutUrl: checkoutUrlOf(deps.checkoutBaseUrl, row) }),
  });
}
