import type { Product } from '@cobro/contracts/products.ts';
import type { Language } from '@cobro/html/language.ts';
import { newProductPage, type NewProductView } from '../src/products/product-forms.ts';
import {
  type ProductActionView,
  productActionPage,
  productPage,
  type ProductView,
} from '../src/products/product-page.ts';
import type { ProductProblem } from '../src/products/product-parts.ts';
import { type ProductRow, productsPage, type ProductsView } from '../src/products/products-page.ts';
import type { Acting } from '../src/shell/frame.ts';
import type { Screen } from './payment-screens.ts';
import { ids, names, sampleFrame } from './sample-frame.ts';

const product: Product = {
  id: ids.link,
  name: 'Talavera de Puebla',
  description: 'Plato hondo, azul, pintado a mano',
  price: 479,
  currency: 'MXN',
  status: 'ACTIVE',
  stock: 12,
  externalId: 'sku-7',
  createdAt: '2026-11-24T18:04:00.000Z',
  updatedAt: '2026-11-25T17:00:00.000Z',
};

const row = (over: Partial<ProductRow>): ProductRow => ({ ...product, ...over });
const rows: ProductRow[] = [
  row({}),
  row({ name: 'Mezcal', price: 89_999.99, stock: null }),
  row({ name: names.hostile, price: 0.01, stock: 0 }),
  row({ name: names.long, price: 999_999_999.99, stock: 1_000_000, status: 'ARCHIVED' }),
];

const refused = (code: string, status: number): ProductProblem => ({
  kind: 'refused',
  code,
  status,
  requestId: ids.key,
});

/** The screens of products, by a name for tests and pictures. */
export function productScreens(language: Language): Record<string, Screen> {
  const list = (view: ProductsView, acting: Partial<Acting> = {}): Screen => {
    const frame = sampleFrame(language, '/products', acting);
    return { frame, content: productsPage(frame, view) };
  };
  const detail = (over: Partial<Product>, done: ProductView['done'] = null, acting: Partial<Acting> = {}): Screen => {
    const frame = sampleFrame(language, `/products/${ids.link}`, acting);
    return { frame, content: productPage(frame, { product: { ...product, ...over }, formId: ids.key, done }) };
  };
  const form = (over: Partial<NewProductView>): Screen => {
    const frame = sampleFrame(language, '/products/new');
    return { frame, content: newProductPage(frame, { formId: ids.key, typed: {}, wrong: [], problem: null, ...over }) };
  };
  const action = (over: Pick<ProductActionView, 'act'> & Partial<ProductActionView>): Screen => {
    const frame = sampleFrame(language, `/products/${ids.link}/${over.act}`);
    const view = { product, formId: ids.key, typed: {}, wrong: [], problem: null, ...over };
    return { frame, content: productActionPage(frame, view) };
  };
  const found = { rows, page: 2, hasMore: true };
  const nothing = { rows: [], page: 1, hasMore: false };
  return {
    products: list({ status: null, found: { ...found, page: 1, hasMore: false } }),
    'products-paged': list({ status: 'ACTIVE', found }, { role: 'read-only' }),
    'products-first': list({ status: null, found: nothing }),
    'products-none': list({ status: 'ARCHIVED', found: nothing }),
    'products-unavailable': list({ status: null, found: null }),
    'products-new': form({}),
    'products-new-wrong': form({
      typed: { name: names.hostile, price: names.formula, stock: '-1', externalId: 'x'.repeat(255) },
      wrong: ['name', 'description', 'price', 'stock', 'externalId'],
    }),
    'products-new-used': form({
      typed: { name: names.long, price: '479.00' },
      problem: refused('EXTERNAL_ID_MISMATCH', 409),
    }),
    'products-new-lost': form({
      typed: { name: 'Pan', price: '12.00' },
      problem: { kind: 'lost', requestId: ids.key },
    }),
    product: detail({}, 'created'),
    'product-archived': detail({ status: 'ARCHIVED', name: names.long, description: names.hostile }, 'archived'),
    'product-uncounted': detail({ stock: null, description: null, externalId: null, price: 999_999_999.99 }),
    'product-read-only': detail({ name: names.hostile, externalId: 'x'.repeat(255) }, null, { role: 'read-only' }),
    'product-change': action({ act: 'change' }),
    'product-change-wrong': action({
      act: 'change',
      typed: { name: '', price: names.formula },
      wrong: ['name', 'price'],
    }),
    'product-stock': action({ act: 'stock' }),
    'product-stock-wrong': action({ act: 'stock', typed: { change: names.formula }, wrong: ['change'] }),
    'product-stock-insufficient': action({
      act: 'stock',
      typed: { change: '-13' },
      problem: refused('STOCK_INSUFFICIENT', 409),
    }),
    'product-archive': action({ act: 'archive' }),
    'product-restore': action({ act: 'restore', product: { ...product, status: 'ARCHIVED' } }),
  };
}
