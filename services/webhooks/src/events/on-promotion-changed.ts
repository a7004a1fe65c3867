import { type Maker, outwardOf } from './outward-event.ts';

export const onPromotionAccepted: Maker<'PromotionAccepted'> = ({ promotionId: objectId, promotion: data }, event) => [
  outwardOf(event, { type: 'promotion.accepted', objectId, data }),
];

export const onPromotionEnded: Maker<'PromotionEnded'> = ({ promotionId: objectId, promotion: data }, event) => [
  outwardOf(event, { type: 'promotion.ended', objectId, data }),
];
