import { type Maker, outwardOf } from './outward-event.ts';

/** It may sell out again, under a greater maxPayments. */
export const onPaymentLinkSoldOut: Maker<'PaymentLinkSoldOut'> = (
  { paymentLinkId: objectId, maxPayments: number, link: data },
  event,
) => [outwardOf(event, { type: 'payment_link.sold_out', objectId, number, data })];

/** It may run out again, once more units are sold. */
export const onProductOutOfStock: Maker<'ProductOutOfStock'> = (
  { productId: objectId, unitsSold: number, product: data },
  event,
) => [outwardOf(event, { type: 'product.out_of_stock', objectId, number, data })];
