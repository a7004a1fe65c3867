import { html, type Html } from '@cobro/html/html.ts';
import { actionForm, field } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { productHref, productNotice, type ProductProblem, statusOf } from './product-parts.ts';
import { productWords, type ProductWords } from './product-words.ts';

export type ProductField = keyof ProductWords['form']['errors'];
type Typed = { readonly [Name in ProductField]?: string };

interface Entered {
  /** As it was typed. */
  typed: Typed;
  wrong: readonly ProductField[];
}

export interface NewProductView extends Entered {
  /** The form's id: sent twice, it makes one product. */
  formId: string;
  problem: ProductProblem | null;
}

/** GET, and refused POST /products/new */
export function newProductPage(frame: Frame, view: NewProductView): Content {
  const { language } = frame;
  const { title, form: words } = productWords[language];
  const { formId, typed, wrong, problem } = view;
  const numbers = [
    field(frame, {
      name: 'stock',
      label: words.stock,
      hint: words.stockHint,
      value: typed.stock,
      error: wrong.includes('stock') ? words.errors.stock : undefined,
      isOptional: true,
      maxlength: 9,
    }),
    field(frame, {
      name: 'externalId',
      label: words.externalId,
      hint: words.externalIdHint,
      value: typed.externalId,
      error: wrong.includes('externalId') ? words.errors.externalId : undefined,
      isOptional: true,
      maxlength: 255,
    }),
  ];
  return {
    status: statusOf(problem, wrong.length > 0),
    title: words.title,
    section: 'products',
    trail: { href: '/products', label: title },
    main: html`${problem && notice(language, productNotice(language, problem))}
      <div class="panel">
        ${actionForm(frame, {
          action: '/products/new',
          fields: html`<input type="hidden" name="formId" value="${formId}" />
            ${textsAndPrice(frame, { typed, wrong })} ${numbers}`,
          button: words.button,
          back: { href: '/products', label: words.back },
        })}
      </div>`,
  };
}

/** `prefix` if the form stands in a dialog. */
function textsAndPrice(frame: Frame, { typed, wrong }: Entered, prefix = ''): Html[] {
  const { form: words } = productWords[frame.language];
  const errorOf = (name: ProductField) => (wrong.includes(name) ? words.errors[name] : undefined);
  return [
    field(
      frame,
      { name: 'name', label: words.name, value: typed.name, error: errorOf('name'), maxlength: 255 },
      prefix,
    ),
    field(
      frame,
      {
        name: 'price',
        label: words.price,
        hint: words.priceHint,
        value: typed.price,
        error: errorOf('price'),
        isAmount: true,
        maxlength: 15,
      },
      prefix,
    ),
    field(
      frame,
      {
        name: 'description',
        label: words.description,
        value: typed.description,
        error: errorOf('description'),
        isOptional: true,
        maxlength: 500,
      },
      prefix,
    ),
  ];
}

export interface ChangeForm extends Entered {
  id: string;
  /** What the form showed at first: an unchanged field is not sent, so it undoes nobody's change. */
  was: { name: string; description: string; price: string };
}

/** The form of a change: on its page, and in a dialog of the product's page. */
export function changeForm(frame: Frame, { id, was, typed, wrong }: ChangeForm, prefix = ''): Html {
  const { change, back } = productWords[frame.language];
  return html`<p class="explain">${change.explain}</p>
    ${actionForm(frame, {
      action: `${productHref(id)}/change`,
      fields: html`${Object.entries(was).map(([name, value]) => html`<input type="hidden" name="was-${name}" value="${value}" />`)}
        ${textsAndPrice(frame, { typed, wrong }, prefix)}`,
      button: change.button,
      back: { href: productHref(id), label: back },
    })}`;
}

export interface StockForm {
  id: string;
  formId: string;
  /** In words. */
  stock: string;
  typed: string | undefined;
  isWrong: boolean;
}

/** The form of a change of stock: on its page, and in a dialog of the product's page. */
export function stockForm(frame: Frame, { id, formId, stock, typed, isWrong }: StockForm): Html {
  const { stock: words, back } = productWords[frame.language];
  return html`<p class="explain">${words.explain(stock)}</p>
    ${actionForm(frame, {
      action: `${productHref(id)}/stock`,
      fields: html`<input type="hidden" name="formId" value="${formId}" />
        ${field(frame, { name: 'change', label: words.change, hint: words.changeHint, value: typed, error: isWrong ? words.error : undefined, maxlength: 9 })}`,
      button: words.button,
      back: { href: productHref(id), label: back },
    })}`;
}

/** Archives the product, or puts it on sale again. */
export function shelfForm(frame: Frame, { id, act }: { id: string; act: 'archive' | 'restore' }): Html {
  const { [act]: words, back } = productWords[frame.language];
  return html`<p class="explain">${words.explain}</p>
    ${actionForm(frame, {
      action: `${productHref(id)}/${act}`,
      fields: [],
      button: words.button,
      kind: act === 'archive' ? 'danger' : '',
      back: { href: productHref(id), label: back },
    })}`;
}
