import { createHash } from 'node:crypto';
import { newId } from '@cobro/contracts/ids.ts';
import type { OneTimePaymentBody } from '@cobro/contracts/one-time-payments.ts';
import { Refusal } from '@cobro/contracts/refusals.ts';
import type { AnswerOf, InputOf } from '@cobro/contracts/route.ts';
import type { createOneTimePayment as contract } from '@cobro/contracts/routes/one-time-payments.ts';
import { refuseCardData } from '@cobro/contracts/text.ts';
import { billingFacts } from '../cards/billing.ts';
import type { Deps } from '../deps.ts';
import { requireSeller } from '../salespeople/attribution.ts';
import type { OneTimePaymentRow } from './one-time-payment.row.ts';
import { checkoutUrlOf, expiryOf, showOneTimePayment } from './one-time-payment.rules.ts';
import { findLinkByExternalId, insertOneTimePayment } from './one-time-payment.store.ts';

/** POST /one-time-payment: 201 with the address of its page. Repeating the same request under its externalId makes no other link. */
export async function createOneTimePayment(
  deps: Deps,
  { caller, deadline, readBody }: InputOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const { organizationId } = caller;
  const asked = readBody();
  const requestDigest = digestOf(asked);
  const earlier = asked.externalId && (await findLinkByExternalId(deps.db, organizationId, asked.externalId));
  if (earlier) return replay(deps, earlier, requestDigest);
  refuseCardData(asked.externalId);
  const { salespersonId = null } = asked;
  if (salespersonId !== null) await requireSeller(deps, { organizationId, salespersonId }, deadline);
  const now = deps.clock.now();
  const row = await insertOneTimePayment(deps.db, {
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
  if (row !== undefined) return answerCreated(deps, row);
  const winner = await findLinkByExternalId(deps.db, organizationId, asked.externalId ?? '');
  if (winner === undefined) throw new Error('a conflict without a row');
  return replay(deps, winner, requestDigest);
}

/** Of what was sent, before anything stands in for what was not. The schema gives the fields one order. */
function digestOf(asked: OneTimePaymentBody): Buffer {
  const json = JSON.stringify(asked, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return createHash('sha256').update(json).digest();
}

function replay(deps: Deps, row: OneTimePaymentRow, digest: Buffer): AnswerOf<typeof contract> {
  if (!row.requestDigest.equals(digest)) throw new Refusal('EXTERNAL_ID_MISMATCH');
  return { ...answerCreated(deps, row), headers: { 'Idempotent-Replayed': 'true' } };
}

const answerCreated = (deps: Deps, row: OneTimePaymentRow) => ({
  status: 201 as const,
  body: { ...showOneTimePayment(row), checkoutUrl: checkoutUrlOf(deps.checkoutBaseUrl, row) },
});
