import { type Expected, refused } from './expected.ts';
import { at, type Model } from './model.ts';
import type { Request } from './steps.ts';

type Of<Op extends Request['op']> = Extract<Request, { op: Op }>;

export function createProduct(model: Model, { price, stock, externalId }: Of<'createProduct'>): Expected {
  const earlier = model.products.findIndex((product) => externalId !== null && product.externalId === externalId);
  if (earlier >= 0) {
    const { firstPrice, firstStock } = at(model.products, earlier);
    if (firstPrice !== price || firstStock !== stock) return refused(409, 'EXTERNAL_ID_MISMATCH');
    return { status: 201, shows: { as: 'product', product: earlier }, replayed: true };
  }
  const knownLater = { id: undefined, createdAt: undefined };
  const first = { firstPrice: price, firstStock: stock };
  model.products.push({ ...knownLater, ...first, price, stock, externalId, status: 'ACTIVE' });
  return { status: 201, shows: { as: 'product', product: model.products.length - 1 } };
}

export function changeProduct(model: Model, { product: position, price, status }: Of<'changeProduct'>): Expected {
  const product = at(model.products, position);
  if (price !== null) product.price = price;
  if (status !== null) product.status = status;
  return { status: 200, shows: { as: 'product', product: position } };
}

export function changeStock(model: Model, { product: position, change, externalId }: Of<'changeStock'>): Expected {
  const product = at(model.products, position);
  const shows = { as: 'product', product: position } as const;
  const earlier = externalId === null ? undefined : model.stockChanges[externalId];
  if (earlier !== undefined) {
    const isSame = earlier.product === position && earlier.change === change;
    return isSame ? { status: 201, shows, replayed: true } : refused(409, 'EXTERNAL_ID_MISMATCH');
  }
  if (product.stock === null) return refused(409, 'STOCK_NOT_COUNTED');
  if (product.stock + change < 0) return refused(409, 'STOCK_INSUFFICIENT');
  product.stock += change;
  if (externalId !== null) model.stockChanges[externalId] = { product: position, change };
  return { status: 201, shows };
}
