import { z } from 'zod';
import { amount, currency } from './amount.ts';
import { offsetPage } from './paging.ts';
import { externalId, must, optional, requiredText, text, textOrNull, time } from './text.ts';
import { wholeNumberFrom } from './whole-number.ts';

export const productStatuses = ['ACTIVE', 'ARCHIVED'] as const;

export const MOST_STOCK = 1_000_000;
export const STOCK_CHANGE_RULE = `must not be 0, nor bring the stock above ${MOST_STOCK}`;

/** Body of POST /product. `price` comes out in centavos. */
export const productBody = z.strictObject({
  name: requiredText(255),
  price: amount,
  currency: optional(currency),
  description: optional(text(500)),
  stock: optional(wholeNumberFrom(0, MOST_STOCK)),
  externalId,
});

/** Body of PATCH /product/{id}: absent fields stay as they are. */
export const productChanges = z.strictObject({
  name: optional(requiredText(255)),
  description: optional(text(500)),
  price: optional(amount),
  status: optional(z.enum(productStatuses, must(`be one of ${productStatuses.join(', ')}`))),
});

/** Body of POST /product/{id}/stock. `change` is relative, because a total would undo simultaneous sales. */
export const stockChangeBody = z.strictObject({
  change: wholeNumberFrom(-MOST_STOCK, MOST_STOCK).meta({ description: STOCK_CHANGE_RULE }),
  externalId,
});

/** Query of GET /product. */
export const productQuery = z.strictObject({ ...offsetPage, status: z.enum(productStatuses).optional() });

/** `price` in MXN pesos. `stock` is null if units are not counted. */
export const product = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    description: textOrNull,
    price: z.number(),
    currency: z.literal('MXN'),
    status: z.enum(productStatuses),
    stock: z.int().min(0).nullable(),
    externalId: textOrNull,
    createdAt: time,
    updatedAt: time,
  })
  .meta({ id: 'Product' });
export type Product = z.output<typeof product>;
