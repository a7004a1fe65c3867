import { type Product, productStatuses } from '@cobro/contracts/products.ts';
import type { Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import type { NoticeView } from '../parts/notice.ts';
import { badge, inFigures } from '../parts/small-parts.ts';
import { noticeOf } from '../payments/action-page.ts';
import { productWords } from './product-words.ts';

export { productStatuses };
export type ProductStatus = Product['status'];

export const productBadge = (language: Language, status: ProductStatus): Html =>
  badge(status === 'ACTIVE' ? 'good' : 'quiet', productWords[language].statuses[status]);

/** "12 units", or that they are not counted. */
export function stockText(language: Language, stock: number | null): string {
  const { units, uncounted } = productWords[language];
  return stock === null ? uncounted : units(inFigures(stock), stock === 1);
}

export const productHref = (id: string): string => `/products/${encodeURIComponent(id)}`;

export type ProductProblem =
  | { kind: 'refused'; code: string; status: number; requestId: string }
  | { kind: 'lost'; requestId: string };

/** The status of the page with a form that was not taken. */
export const statusOf = (problem: ProductProblem | null, isWrong: boolean): number =>
  problem === null ? (isWrong ? 400 : 200) : problem.kind === 'lost' ? 502 : problem.status;

/** A refusal as a notice, with what to do next. */
export function productNotice(language: Language, problem: ProductProblem): NoticeView {
  const { refusals, lost } = productWords[language];
  const view = noticeOf(language, problem);
  const said = problem.kind === 'lost' ? lost : Object.hasOwn(refusals, problem.code) ? refusals[problem.code] : {};
  return { ...view, ...said };
}
