import { type Maker, outwardOf } from './outward-event.ts';

/** A link may sell out again, under a greater maxPayments. */
export const onPaymentLinkSoldOut: Maker<'PaymentLinkSoldOut'> = (
  { paymentLinkId: objectId, maxPayments: number, link: data },
  event,
) => [outwardOf(event, { type: 'payment_link.sold_out', objectId, number, data })];

/** A product may run out again, after more units are sold. */
export const onProductOutOfStock: Maker<'ProductOutOfStock'> = (
  { productId: objectId, unitsSold: number, product: data },
  event,
) => [outwardOf(event, { type: 'product.out_of_stock', objectId, number, data })];
