import type { Product } from '@cobro/contracts/products.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { dialog, opener } from '../parts/dialog.ts';
import { notice } from '../parts/notice.ts';
import { amount, centavosIn, copyable, facts, signedPesos, written } from '../parts/small-parts.ts';
import { timeElement } from '../parts/time.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { changeForm, type ProductField, shelfForm, stockForm } from './product-forms.ts';
import { productBadge, productHref, productNotice, type ProductProblem, statusOf, stockText } from './product-parts.ts';
import { productWords, type ProductWords } from './product-words.ts';

export interface ProductView {
  product: Product;
  /** The id of the form for the stock: sent twice, it changes the stock once. */
  formId: string;
  /** What the person has just done. */
  done: keyof ProductWords['done'] | null;
}

export const productActions = ['change', 'stock', 'archive', 'restore'] as const;
export type ProductAction = (typeof productActions)[number];

/** What may be done to a product now. */
const actionsOn = ({ status, stock }: Product): ProductAction[] => [
  'change',
  ...(stock === null ? [] : (['stock'] as const)),
  status === 'ACTIVE' ? 'archive' : 'restore',
];

/** GET /products/{id} */
export function productPage(frame: Frame, { product, formId, done }: ProductView): Content {
  const { language } = frame;
  const words = productWords[language];
  const { detail } = words;
  const offered = mayOperate(frame) ? actionsOn(product) : [];
  return {
    status: 200,
    title: detail.title,
    section: 'products',
    trail: { href: '/products', label: words.title },
    main: html`${done && notice(language, { kind: 'good', title: words.done[done] })}
      <div class="stack">
        <section class="panel summary">
          <p class="big">${amount(centavosIn(product.price))} <span class="quiet">MXN</span> ${productBadge(language, product.status)}</p>
          <p>${written(product.name)}</p>
          ${product.description && html`<p class="quiet">${written(product.description)}</p>`}
        </section>
        <section class="panel">
          <h2>${detail.facts}</h2>
          ${facts([
            [words.form.stock, stockText(language, product.stock)],
            [detail.made, timeElement(language, product.createdAt)],
            [detail.changed, timeElement(language, product.updatedAt)],
            [detail.externalId, product.externalId && written(product.externalId)],
            [detail.id, copyable(language, product.id)],
          ])}
          ${offered.length > 0 && html`<p class="actions">${offered.map((act) => opener(`${productHref(product.id)}/${act}`, `dialog-${act}`, words[act].title, 'second'))}</p>`}
        </section>
      </div>
      ${offered.map((act) => dialog({ id: `dialog-${act}`, title: words[act].title, content: formOf(frame, { act, product, formId, typed: {}, wrong: [], problem: null }) }))}`,
  };
}

export interface ProductActionView {
  act: ProductAction;
  product: Product;
  formId: string;
  typed: { readonly [Name in ProductField | 'change']?: string };
  wrong: readonly (ProductField | 'change')[];
  problem: ProductProblem | null;
}

/** GET, and refused POST /products/{id}/{action} */
export function productActionPage(frame: Frame, view: ProductActionView): Content {
  const { act, product, wrong, problem } = view;
  const { language } = frame;
  const words = productWords[language];
  return {
    status: statusOf(problem, wrong.length > 0),
    title: words[act].title,
    section: 'products',
    trail: { href: productHref(product.id), label: words.detail.title },
    main: html`${problem && notice(language, productNotice(language, problem))}
      <div class="panel">${formOf(frame, view)}</div>`,
  };
}

function formOf(frame: Frame, { act, product, formId, typed, wrong }: ProductActionView): Html {
  const { id, name, description, stock } = product;
  if (act === 'stock') {
    const text = stockText(frame.language, stock);
    return stockForm(frame, { id, formId, stock: text, typed: typed.change, isWrong: wrong.includes('change') });
  }
  if (act !== 'change') return shelfForm(frame, { id, act });
  const was = { name, description: description ?? '', price: signedPesos(centavosIn(product.price)).replace('$', '') };
  const marked = wrong.filter((one) => one !== 'change');
  return changeForm(frame, { id, was, typed: { ...was, ...typed }, wrong: marked });
}
