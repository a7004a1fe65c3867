import { pesosOf } from '@cobro/contracts/amount.ts';
import type { DeveloperPayment } from '@cobro/contracts/developer-payments.ts';
import { type FieldValues, type ShownIn, shownIn } from '@cobro/contracts/payment-fields.ts';
import { percentage } from './fees.ts';
import { viewHold } from './hold-view.ts';
import { paidTerms } from './installments.ts';

/** The facts of a payment in the service that shows it. Amounts are centavos. */
export interface DeveloperFacts extends Pick<
  FieldValues,
  ShownIn<'detail'> | 'createdAt' | 'operationCode' | 'installments' | 'rates' | 'billing' | 'periodicity'
> {
  id: string;
  status: DeveloperPayment['status'];
  amount: bigint;
  /** Null if it was never held. */
  heldAmount: bigint | null;
  card: DeveloperPayment['card'];
  confirmedAt: Date | null;
  heldAt: Date | null;
  holdExpiresAt: Date | null;
  captureBefore: Date | null;
  capturedAt: Date | null;
  holdReleasedAt: Date | null;
  refundedAt: Date | null;
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A payment as the detail of the developer API shows it. */
export function developerPayment(facts: DeveloperFacts, now: Date): DeveloperPayment {
  const { card, rates, terms, installments, billing } = facts;
  return {
    id: facts.id,
    status: facts.status,
    amount: pesosOf(facts.amount),
    createdAt: facts.createdAt.toISOString(),
    operationCode: Number(facts.operationCode),
    heldAmount: facts.heldAmount === null ? null : pesosOf(facts.heldAmount),
    card: {
      lastFourDigits: card.lastFourDigits,
      network: card.network,
      fundingSource: card.fundingSource,
      issuingBank: card.issuingBank,
    },
    ...shownIn('detail', facts),
    promotionId: rates?.promotion?.id ?? null,
    fee: rates && percentage(rates.feeBps - rates.promotionFeeDiscountBps),
    paidTerms: paidTerms({ movedAt: facts.confirmedAt ?? facts.capturedAt, terms, installments, now }),
    periodicity: periodicity(facts),
    financingMethod: financingMethod(terms),
    refundedAt: iso(facts.refundedAt),
    capturedAt: iso(facts.capturedAt),
    holdReleasedAt: iso(facts.holdReleasedAt),
    captureBefore: iso(facts.captureBefore),
    ...viewHold({ ...facts, held: facts.status === 'HELD' }, now),
    customer: {
      firstName: billing?.firstName ?? null,
      lastName: billing?.lastName ?? null,
      email: billing?.email ?? null,
      phoneNumber: billing?.phoneNumber ?? null,
    },
  };
}

export const financingMethod = (terms: number) => (terms > 1 ? 'INSTALLMENTS' : 'PAY_NOW');
/** The subscription's periodicity, or MONTHLY for a payment in installments. */
export const periodicity = ({ periodicity: billed, terms }: Pick<FieldValues, 'periodicity' | 'terms'>) =>
  billed ?? (terms > 1 ? 'MONTHLY' : null);
