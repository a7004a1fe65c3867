import type { Branch, Salesperson } from '@cobro/contracts/salespeople.ts';
import type { Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { choice, field, missingChoice } from '../parts/form.ts';
import { notice, type NoticeView } from '../parts/notice.ts';
import { noticeOf } from '../payments/action-page.ts';
import type { Frame } from '../shell/frame.ts';
import { sellerWords } from './seller-words.ts';

export type SellerProblem =
  | { kind: 'wrong' }
  | { kind: 'refused'; code: string; status: number; requestId: string }
  | { kind: 'lost'; requestId: string };

export const sellerHref = (id: string): string => `/sellers/${encodeURIComponent(id)}`;
export const branchHref = (id: string): string => `/sellers/branches/${encodeURIComponent(id)}`;

export function problemStatus(problem: SellerProblem | null): number {
  if (problem === null) return 200;
  if (problem.kind === 'refused') return problem.status;
  return problem.kind === 'lost' ? 502 : 400;
}

/** What was done or refused. */
export function sellerNotice(
  language: Language,
  problem: SellerProblem | null,
  done: 'created' | 'changed' | null,
): Html | null {
  const words = sellerWords[language];
  if (problem === null) return done && notice(language, { kind: 'good', title: words.done[done] });
  if (problem.kind === 'wrong') return notice(language, { kind: 'bad', ...words.wrong });
  const view: NoticeView = noticeOf(language, problem);
  const said =
    problem.kind === 'refused' && Object.hasOwn(words.refusals, problem.code) ? words.refusals[problem.code] : {};
  return notice(language, { ...view, ...said });
}

/** The fields shared by a new person and a change. */
export function personFields(
  frame: Frame,
  typed: { name?: string | undefined; branch?: string | undefined },
  { branches, mayBeNone }: { branches: readonly Pick<Branch, 'id' | 'name'>[]; mayBeNone: boolean },
): Html[] {
  const words = sellerWords[frame.language];
  const none = mayBeNone ? [['', words.noBranch] as const] : [];
  const options = [...none, ...branches.map(({ id, name }) => [id, name] as const)];
  return [
    field(frame, { name: 'name', label: words.name, value: typed.name, maxlength: 255 }, 'person-'),
    choice({ name: 'branch', label: words.branch, value: typed.branch, options }, 'person-'),
  ];
}

/** Somebody who sells. */
export type Seller = Pick<Salesperson, 'id' | 'name'>;

/** Chooses to whom payments are attributed; nothing if nobody sells. `sellers`: null if they did not come in time. */
export function sellerChoice(frame: Frame, sellers: readonly Seller[] | null, value: string | undefined): Html | null {
  const { seller, nobody } = sellerWords[frame.language];
  if (sellers === null) return missingChoice(frame, { name: 'salesperson', label: seller, chosen: [value] });
  if (sellers.length === 0) return null;
  const options = [['', nobody] as const, ...sellers.map(({ id, name }) => [id, name] as const)];
  return choice({ name: 'salesperson', label: seller, value, options });
}
