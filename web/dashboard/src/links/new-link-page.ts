import { installmentTerms } from '@cobro/contracts/one-time-payments.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { actionForm, checks, choice, field } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { type Seller, sellerChoice } from '../sellers/seller-parts.ts';
import { linkNotice, type LinkProblem } from './link-parts.ts';
import { linkWords, type LinkWords } from './link-words.ts';

/** For how many days a link can be paid. */
export const linkDays = [1, 3, 7, 15, 30] as const;

export type LinkField = keyof LinkWords['form']['errors'];

export interface NewLinkView {
  /** The form's id: sent twice, it makes one link. */
  formId: string;
  /** As it was typed, or as another page filled it in. */
  typed: {
    amount?: string;
    description?: string;
    externalId?: string;
    days?: string;
    salesperson?: string;
    terms: readonly number[];
  };
  /** Null if they did not come in time. */
  sellers: readonly Seller[] | null;
  wrong: readonly LinkField[];
  problem: LinkProblem | null;
}

/** GET, and refused POST /links/new */
export function newLinkPage(frame: Frame, view: NewLinkView): Content {
  const { language } = frame;
  const words = linkWords[language];
  const { problem, wrong } = view;
  return {
    status: problem === null ? (wrong.length > 0 ? 400 : 200) : problem.kind === 'lost' ? 502 : problem.status,
    title: words.form.title,
    section: 'links',
    trail: { href: '/links', label: words.title },
    main: html`${problem && notice(language, linkNotice(language, problem))}
      <div class="panel">
        ${actionForm(frame, {
          action: '/links/new',
          fields: fieldsOf(frame, view, words.form),
          button: words.form.button,
          back: { href: '/links', label: words.form.back },
        })}
      </div>`,
  };
}

function fieldsOf(frame: Frame, { formId, typed, sellers, wrong }: NewLinkView, words: LinkWords['form']): Html {
  const errorOf = (name: LinkField) => (wrong.includes(name) ? words.errors[name] : undefined);
  return html`<input type="hidden" name="formId" value="${formId}" />
    ${field(frame, { name: 'amount', label: words.amount, hint: words.amountHint, value: typed.amount, error: errorOf('amount'), isAmount: true, maxlength: 15 })}
    ${field(frame, { name: 'description', label: words.description, hint: words.descriptionHint, value: typed.description, error: errorOf('description'), maxlength: 500 })}
    ${termsField(installmentTerms, typed.terms, words, errorOf('terms'))}
    ${choice({
      name: 'days',
      label: words.expires,
      value: typed.days ?? '1',
      options: linkDays.map((days) => [String(days), words.days(days)] as const),
    })}
    ${sellerChoice(frame, sellers, typed.salesperson)}
    ${field(frame, { name: 'externalId', label: words.externalId, hint: words.externalIdHint, value: typed.externalId, error: errorOf('externalId'), isOptional: true, maxlength: 255 })}`;
}

/** The numbers of months in which a payer may pay. */
export const termsField = (
  offered: readonly number[],
  chosen: readonly number[],
  words: LinkWords['form'],
  error?: string,
): Html =>
  checks({
    name: 'terms',
    label: words.terms,
    hint: html`${words.termsHint} <a href="/calculator">${words.calculator}</a>`,
    error,
    options: offered.map((terms) => [String(terms), terms === 1 ? words.single : words.months(terms)] as const),
    chosen: chosen.map(String),
  });
