import { developerPaymentStatuses } from '@cobro/contracts/developer-payments.ts';
import { offeredTerms } from '@cobro/contracts/offered-terms.ts';
import { paymentTypes } from '@cobro/contracts/payment-fields.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { choice, field, missingChoice } from '../parts/form.ts';
import { newsOf } from '../parts/news.ts';
import { notice, type NoticeView } from '../parts/notice.ts';
import { pager } from '../parts/pager.ts';
import { amount, button, centavosIn, empty, unavailable, written } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { dayOf, timeElement } from '../parts/time.ts';
import { partWords } from '../parts/words.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { exportWords } from './export-words.ts';
import { chips, isDay } from './filter-chips.ts';
import { type ListWords, listWords } from './list-words.ts';
import { filterNames, type FilterName, linkedNames, type FilterTexts, sellerNames } from './payment-filters.ts';
import { paymentHref, shortCard, statusBadge } from './payment-parts.ts';
import { paymentWords } from './payment-words.ts';

/** A row of the list. `amount` in pesos. */
export interface PaymentRow {
  id: string;
  status: (typeof developerPaymentStatuses)[number];
  amount: number;
  createdAt: string;
  operationCode: number;
  oneTimePaymentId: string | null;
  paymentIntentId: string | null;
  paymentLinkId: string | null;
  subscriptionId: string | null;
  externalId: string | null;
  card: { network: string; lastFourDigits: string };
}

/** A salesperson or a branch. */
export type Named = Readonly<Record<'id' | 'name', string>>;

export interface PaymentsView {
  filters: FilterTexts;
  /** The choices. Null if they did not come in time. */
  sellers: { [Name in (typeof sellerNames)[number]]: readonly Named[] } | null;
  /** `card-number`: one was typed, and is nowhere in this view. */
  found:
    | { kind: 'rows'; rows: readonly PaymentRow[]; nextCursor: string | null; isFirstPage: boolean }
    | { kind: 'card-number' }
    | { kind: 'refused'; notice: NoticeView }
    | { kind: 'unavailable' };
}

/** GET /payments */
export function paymentsPage(frame: Frame, view: PaymentsView): Content {
  const words = listWords[frame.language];
  return {
    status: statusOf(view.found),
    title: words.title,
    section: 'payments',
    main: html`${problemOf(frame, view, words)} ${filterForm(frame, view, words)}
    ${chipsOf(frame.language, view, words)} ${listOf(frame, view, words)} ${newsOfList(frame, view)}`,
  };
}

const exportButton = ({ language }: Frame, filters: FilterTexts) =>
  button(paymentsHref(filters).replace('/payments', '/payments.csv'), exportWords[language].button, 'second');

const outcomes = ['payment.confirmed', 'payment.declined', 'hold.placed'];

/** Only for the newest payments without filters: whether filters match a new one is not known without a query. */
function newsOfList({ language }: Frame, { filters, found }: PaymentsView): Html | null {
  const isNewest = found.kind === 'rows' && found.isFirstPage && !filterNames.some((name) => filters[name]);
  if (!isNewest) return null;
  const shown = found.rows.map(({ id }) => id);
  return newsOf({ of: outcomes, shown, href: '/payments', ...partWords[language].news.newPayments });
}

function statusOf(found: PaymentsView['found']): number {
  if (found.kind === 'rows') return 200;
  return found.kind === 'unavailable' ? 503 : 400;
}

function problemOf({ language }: Frame, { found }: PaymentsView, words: ListWords): Html | null {
  if (found.kind === 'card-number') return notice(language, { kind: 'bad', ...words.cardNumber });
  return found.kind === 'refused' ? notice(language, found.notice) : null;
}

/** The address of the list with these filters. */
export function paymentsHref(filters: FilterTexts, cursor?: string): string {
  const query = new URLSearchParams();
  for (const name of filterNames) if (filters[name]) query.set(name, filters[name]);
  if (cursor !== undefined) query.set('cursor', cursor);
  return query.size === 0 ? '/payments' : `/payments?${query.toString()}`;
}

function filterForm(frame: Frame, { filters, sellers }: PaymentsView, words: ListWords): Html {
  const { q, ...others } = filters;
  const isOpen = Object.values(others).some(Boolean);
  const of = paymentWords[frame.language];
  const any = ['', words.any] as const;
  const { fields } = words;
  const day = (name: 'from' | 'to') =>
    field(frame, {
      name,
      label: fields[name],
      value: isDay(filters[name]) ? filters[name] : undefined,
      isOptional: true,
      isBare: true,
      type: 'date',
    });
  const pesos = (name: 'amountFrom' | 'amountTo') =>
    field(frame, {
      name,
      label: fields[name],
      value: filters[name],
      isOptional: true,
      isBare: true,
      isAmount: true,
      maxlength: 12,
    });
  return html`<form class="filters" method="get" action="/payments" role="search">
    ${linkedNames.filter((name) => filters[name]).map((name) => html`<input type="hidden" name="${name}" value="${filters[name]}" />`)}
    <label for="q" class="unseen">${words.search}</label>
    <div class="search">
      <input id="q" name="q" type="search" value="${q}" placeholder="${words.search}" aria-describedby="q-hint" maxlength="255" autocomplete="off" />
      <button class="button">${words.searchButton}</button>
    </div>
    <p class="hint" id="q-hint">${words.searchHint}</p>
    <details${isOpen && html` open`}>
      <summary>${words.filters}</summary>
      <div class="filter-grid">
        ${choice({ name: 'status', label: fields.status, value: filters.status, options: [any, ['PAID', words.paid], ...developerPaymentStatuses.map((one) => [one, of.statuses[one]] as const)] })}
        ${choice({ name: 'type', label: fields.type, value: filters.type, options: [any, ...paymentTypes.map((one) => [one, of.types[one]] as const)] })}
        ${day('from')} ${day('to')}
        ${choice({ name: 'source', label: fields.source, value: filters.source, options: [any, ...Object.entries(of.sources)] })}
        ${choice({ name: 'terms', label: fields.terms, value: filters.terms, options: [any, ...offeredTerms.map((terms) => [String(terms), terms === 1 ? of.single : of.terms(terms)] as const)] })}
        ${pesos('amountFrom')} ${pesos('amountTo')}
        ${field(frame, { name: 'issuingBank', label: fields.issuingBank, hint: words.issuingBankHint, value: filters.issuingBank, isOptional: true, isBare: true, maxlength: 100 })}
        ${sellerNames.map((name) => sellerChoice(frame, name, sellers && sellers[name], filters[name]))}
      </div>
      <button class="button second">${words.apply}</button>
    </details>
  </form>`;
}

/** Null if there is nobody to choose. One that the address names stays, even if the list lacks it. */
function sellerChoice(
  frame: Frame,
  name: (typeof sellerNames)[number],
  listed: readonly Named[] | null,
  chosen: string | undefined,
): Html | null {
  const { any, fields } = listWords[frame.language];
  if (listed === null) return missingChoice(frame, { name, label: fields[name], chosen: [chosen] });
  const known = listed.map(({ id, name: shown }) => [id, shown] as const);
  const isKnown = chosen === undefined || known.some(([id]) => id === chosen);
  const options = isKnown ? known : [...known, [chosen, chosen] as const];
  if (options.length === 0) return null;
  return choice({ name, label: fields[name], value: chosen, options: [['', any], ...options] });
}

const chipsOf = (language: Language, { filters, sellers }: PaymentsView, words: ListWords) =>
  chips(
    language,
    filterNames
      .filter((name) => filters[name])
      .map((name) => {
        const { [name]: value = '', ...others } = filters;
        return {
          label: `${words.fields[name]}: ${nameOf(sellers, name, value) ?? shownValue(language, name, value)}`,
          without: paymentsHref(others),
        };
      }),
  );

const nameOf = (sellers: PaymentsView['sellers'], filter: FilterName, id: string) =>
  filter === 'salespersonId' || filter === 'branchId'
    ? sellers?.[filter].find((one) => one.id === id)?.name
    : undefined;

function shownValue(language: Language, name: FilterName, value: string): string {
  const { statuses, types, sources, single, terms } = paymentWords[language];
  if (name === 'terms' && /^\d{1,2}$/.test(value)) return value === '1' ? single : terms(Number(value));
  if (name === 'amountFrom' || name === 'amountTo') return `$${value}`;
  const named: Record<string, string> = { ...statuses, ...types, ...sources, PAID: listWords[language].paid };
  if (name !== 'q' && isDay(value)) return dayOf(language, value);
  return Object.hasOwn(named, value) ? (named[value] ?? value) : value;
}

function listOf(frame: Frame, { filters, found }: PaymentsView, words: ListWords): Html | null {
  const { language } = frame;
  if (found.kind === 'unavailable') return unavailable(language);
  if (found.kind !== 'rows') return null;
  if (found.rows.length === 0) {
    return filterNames.some((name) => filters[name])
      ? empty({ ...words.none, action: button('/payments', words.none.clear, 'second') })
      : empty(words.first);
  }
  return html`<p class="tools">${exportButton(frame, filters)}</p>
  ${paymentTable(language, words.title, found.rows)}
  ${pager(language, {
    next: found.nextCursor === null ? null : paymentsHref(filters, found.nextCursor),
    first: found.isFirstPage ? null : paymentsHref(filters),
  })}`;
}

const sourceOf = ({ oneTimePaymentId, paymentLinkId, paymentIntentId, subscriptionId }: PaymentRow) =>
  oneTimePaymentId !== null
    ? 'ONE_TIME_PAYMENT'
    : paymentLinkId !== null
      ? 'PAYMENT_LINK'
      : paymentIntentId !== null
        ? 'PAYMENT_INTENT'
        : subscriptionId !== null
          ? 'SUBSCRIPTION'
          : 'SAVED_CARD';

/** Payments, a row each. */
function paymentTable(language: Language, caption: string, rows: readonly PaymentRow[]): Html {
  const { columns, sources } = paymentWords[language];
  return table({
    caption,
    columns: [
      { label: columns.operationCode, kind: 'main' },
      { label: columns.amount, kind: 'amount' },
      { label: columns.status, kind: 'status' },
      { label: columns.time },
      { label: columns.card },
      { label: columns.source },
      { label: columns.externalId },
    ],
    rows: rows.map((row) => [
      html`<a href="${paymentHref(row.id)}">${row.operationCode}</a>`,
      amount(centavosIn(row.amount)),
      statusBadge(language, row.status),
      timeElement(language, row.createdAt),
      shortCard(row.card),
      html`<span class="whole">${sources[sourceOf(row)]}</span>`,
      row.externalId && html`<span class="cut">${written(row.externalId)}</span>`,
    ]),
  });
}
