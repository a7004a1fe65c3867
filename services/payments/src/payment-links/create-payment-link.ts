import { newId } from '@cobro/contracts/ids.ts';
import { AMOUNT_OR_PRODUCT_RULE, DESCRIPTION_RULE, type PaymentLinkBody } from '@cobro/contracts/payment-links.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createPaymentLink as contract } from '@cobro/contracts/routes/payment-links.ts';
import { refuseField } from '@cobro/contracts/validation.ts';
import { createOnce, digestOf } from '@cobro/service-kit/create-once.ts';
import { productOnSale } from '../products/product-on-sale.ts';
import type { Deps } from '../deps.ts';
import { requireSeller } from '../salespeople/attribution.ts';
import { refusePast, showPaymentLink } from './payment-link.rules.ts';
import { findPaymentLink, findPaymentLinkByExternalId, insertPaymentLink } from './payment-link.store.ts';

/** POST /payment-link: 201 with the address of its page. Repeating the same request under its externalId makes no other one. */
export async function createPaymentLink(
  deps: Deps,
  { caller: { organizationId }, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const asked = readBody();
  const requestDigest = digestOf(asked);
  const { salespersonId = null } = asked;
  const now = deps.clock.now();
  return createOnce({
    key: asked.externalId,
    find: (externalId) => findPaymentLinkByExternalId(deps.db, organizationId, externalId, now),
    isSame: (row) => row.requestDigest.equals(requestDigest),
    insert: async () => {
      refusePast(asked.expiresAt, now);
      if (salespersonId !== null) await requireSeller(deps, { organizationId, salespersonId }, deadline);
      const made = await insertPaymentLink(deps.db, {
        id: newId(now.getTime()),
        organizationId,
        externalId: asked.externalId ?? null,
        requestDigest,
        ...(await whatIsPaid(deps, organizationId, asked)),
        currency: 'MXN',
        allowedTerms: asked.allowedTerms ?? [1],
        maxPayments: asked.maxPayments ?? null,
        expiresAt: asked.expiresAt ?? null,
        redirectUrl: asked.redirectUrl ?? null,
        homepageUrl: asked.homepageUrl ?? null,
        salespersonId,
        createdAt: now,
        updatedAt: now,
      });
      return made && findPaymentLink(deps.db, made.id, now);
    },
    show: (row) => showPaymentLink(row, deps.checkoutBaseUrl),
  });
}

/** The link's own amount, or a product whose price it asks for. @throws Refusal 400, 404, 409 */
async function whatIsPaid(deps: Deps, organizationId: string, { amount, productId, description }: PaymentLinkBody) {
  if ((amount === undefined) === (productId === undefined)) throw refuseField('amount', AMOUNT_OR_PRODUCT_RULE);
  if (productId === undefined) {
    if (description === undefined) throw refuseField('description', DESCRIPTION_RULE);
    return { amount: amount ?? null, productId: null, description };
  }
  const product = await productOnSale(deps.db, organizationId, productId);
  return { amount: null, productId: product.id, description: description ?? product.name };
}
