import type { Expected } from './expected.ts';
import { at, type Model } from './model.ts';

export function createPromotion(model: Model, { take }: { take: number }): Expected {
  const earlier = model.promotions.findIndex((promotion) => promotion.take === take);
  if (earlier >= 0) return { status: 201, shows: { as: 'promotion', promotion: earlier }, replayed: true };
  model.promotions.push({ id: undefined, createdAt: undefined, take, ended: false, paymentsCount: 0 });
  return { status: 201, shows: { as: 'promotion', promotion: model.promotions.length - 1 } };
}

export function endPromotion(model: Model, { promotion: position }: { promotion: number }): Expected {
  at(model.promotions, position).ended = true;
  return { status: 200, shows: { as: 'promotion', promotion: position } };
}

/** A payment that takes money, or may, counts for good, in the promotion that leaves the merchant most. */
export function countPromotion({ promotions }: Model): void {
  const [best] = promotions.filter(({ ended }) => !ended).toSorted((one, other) => one.take - other.take);
  if (best !== undefined) best.paymentsCount++;
}
