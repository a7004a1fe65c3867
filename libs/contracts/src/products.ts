import { z } from 'zod';
import { textOrNull, time } from './text.ts';

const productStatuses = ['ACTIVE', 'ARCHIVED'] as const;

/** `price` in MXN pesos. `stock` is null where units are not counted. */
const product = z
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
