import type { Product } from '@cobro/contracts/products.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { offsetPager } from '../parts/pager.ts';
import { amount, button, centavosIn, empty, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { statusHref, statusTabs } from '../parts/tabs.ts';
import { timeElement } from '../parts/time.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { productBadge, productHref, type ProductStatus, productStatuses, stockText } from './product-parts.ts';
import { productWords, type ProductWords } from './product-words.ts';

export type ProductRow = Pick<Product, 'id' | 'name' | 'status' | 'price' | 'stock' | 'createdAt'>;

export interface ProductsView {
  /** Null for all. */
  status: ProductStatus | null;
  /** Null if they did not come in time. */
  found: { rows: readonly ProductRow[]; page: number; hasMore: boolean } | null;
}

/** GET /products */
export function productsPage(frame: Frame, view: ProductsView): Content {
  const words = productWords[frame.language];
  return {
    status: view.found === null ? 503 : 200,
    title: words.title,
    section: 'products',
    ...(mayOperate(frame) && !isFirst(view) && { action: button('/products/new', words.create) }),
    main: html`${statusTabs({ path: '/products', current: view.status, statuses: productStatuses, words })} ${listOf(frame, view, words)}`,
  };
}

/** Nobody has made a product here yet. */
const isFirst = ({ status, found }: ProductsView) => status === null && found?.page === 1 && found.rows.length === 0;

function listOf(frame: Frame, { status, found }: ProductsView, words: ProductWords): Html {
  const { language } = frame;
  if (found === null) return unavailable(language);
  if (isFirst({ status, found })) {
    return empty({ ...words.empty, ...(mayOperate(frame) && { action: button('/products/new', words.create) }) });
  }
  if (found.rows.length === 0) {
    return empty({ ...words.none, action: button('/products', words.none.all, 'second') });
  }
  const { columns } = words;
  const list = table({
    caption: words.title,
    columns: [
      { label: columns.name, kind: 'main' },
      { label: columns.made },
      { label: columns.stock, kind: 'amount' },
      { label: columns.status, kind: 'status' },
      { label: columns.price, kind: 'amount' },
    ],
    rows: found.rows.map((row) => [
      html`<a class="cut" href="${productHref(row.id)}">${written(row.name)}</a>`,
      timeElement(language, row.createdAt),
      stockText(language, row.stock),
      productBadge(language, row.status),
      amount(centavosIn(row.price)),
    ]),
  });
  return html`${list} ${offsetPager(language, found, (page) => statusHref('/products', status, page))}`;
}
