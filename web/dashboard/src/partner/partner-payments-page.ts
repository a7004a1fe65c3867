import { type PartnerPayment, partnerPaymentStatuses } from '@cobro/contracts/partner-payments.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { choice, field } from '../parts/form.ts';
import { notice, type NoticeView } from '../parts/notice.ts';
import { pager } from '../parts/pager.ts';
import {
  amount,
  badge,
  button,
  centavosIn,
  empty,
  inFigures,
  over,
  type Tone,
  unavailable,
  written,
} from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { dayOf, timeElement } from '../parts/time.ts';
import { chips, isDay } from '../payments/filter-chips.ts';
import { exportWords } from '../payments/export-words.ts';
import { listWords } from '../payments/list-words.ts';
import { networkName } from '../payments/payment-parts.ts';
import { paymentWords } from '../payments/payment-words.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { type PartnerWords, partnerWords } from './partner-words.ts';

/** Filters in the address. Days are `YYYY-MM-DD` in Mexico City. */
export interface PartnerFilters {
  q?: string;
  organizationId?: string;
  status?: string;
  from?: string;
  to?: string;
}
export const partnerFilterNames = ['q', 'organizationId', 'status', 'from', 'to'] as const;

type Row = Pick<PartnerPayment, 'id' | 'status' | 'operationCode' | 'amount' | 'createdAt' | 'organization'> & {
  cardInformation: Pick<PartnerPayment['cardInformation'], 'lastFourDigits' | 'networkType'>;
  paymentDisbursement: Pick<
    PartnerPayment['paymentDisbursement'],
    'merchantFeeAmount' | 'merchantIvaFeeAmount' | 'promotionTakeAmount' | 'merchantTakeAmount'
  >;
};
export type PartnerRow = Row;

export interface PartnerPaymentsView {
  filters: PartnerFilters;
  /** The name of the organization in the filter, if known. */
  organizationName: string | null;
  found:
    | { kind: 'rows'; rows: readonly Row[]; count: number; isCapped: boolean; offset: number }
    | { kind: 'card-number' }
    | { kind: 'refused'; notice: NoticeView }
    | { kind: 'unavailable' };
}

const tones: { [Name in Row['status']]: Tone } = {
  PENDING: 'wait',
  CANCELLED: 'bad',
  CONFIRMED: 'good',
  REFUNDED: 'quiet',
};

/** GET /partner/payments: as the partner's API lists them, each with its disbursement. */
export function partnerPaymentsPage(frame: Frame, view: PartnerPaymentsView): Content {
  const { language } = frame;
  const words = partnerWords[language];
  const { found } = view;
  return {
    status: found.kind === 'rows' ? 200 : found.kind === 'unavailable' ? 503 : 400,
    title: words.payments,
    section: 'partnerPayments',
    ...(found.kind === 'rows' &&
      found.rows.length > 0 && {
        action: button(partnerPaymentsHref(view.filters, { isFile: true }), exportWords[language].button, 'second'),
      }),
    main: html`${found.kind === 'card-number' && notice(language, { kind: 'bad', ...listWords[language].cardNumber })}
      ${found.kind === 'refused' && notice(language, found.notice)} ${filterForm(frame, view, words)}
      ${chipsOf(language, view, words)} ${listOf(language, view, words)}`,
  };
}

export function partnerPaymentsHref(filters: PartnerFilters, { offset = 0, isFile = false } = {}): string {
  const path = isFile ? '/partner/payments.csv' : '/partner/payments';
  const query = new URLSearchParams();
  for (const name of partnerFilterNames) if (filters[name]) query.set(name, filters[name]);
  if (offset > 0) query.set('offset', String(offset));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function filterForm(frame: Frame, { filters }: PartnerPaymentsView, words: PartnerWords): Html {
  const { any, apply, filters: label, searchButton } = listWords[frame.language];
  const { q, organizationId, ...others } = filters;
  const day = (name: 'from' | 'to') =>
    field(frame, {
      name,
      label: words.fields[name],
      value: isDay(filters[name]) ? filters[name] : undefined,
      isOptional: true,
      isBare: true,
      type: 'date',
    });
  const statuses = partnerPaymentStatuses.map((one) => [one, words.statuses[one]] as const);
  return html`<form class="filters" method="get" action="/partner/payments" role="search">
    <label for="q" class="unseen">${words.search}</label>
    ${organizationId && html`<input type="hidden" name="organizationId" value="${organizationId}" />`}
    <div class="search">
      <input id="q" name="q" type="search" value="${q}" placeholder="${words.search}" aria-describedby="q-hint" maxlength="255" autocomplete="off" />
      <button class="button">${searchButton}</button>
    </div>
    <p class="hint" id="q-hint">${words.searchHint}</p>
    <details${Object.values(others).some(Boolean) && html` open`}>
      <summary>${label}</summary>
      <div class="filter-grid">
        ${choice({ name: 'status', label: words.fields.status, value: filters.status, options: [['', any], ...statuses] })}
        ${day('from')} ${day('to')}
      </div>
      <button class="button second">${apply}</button>
    </details>
  </form>`;
}

const chipsOf = (language: Language, { filters, organizationName }: PartnerPaymentsView, words: PartnerWords) =>
  chips(
    language,
    partnerFilterNames
      .filter((name) => filters[name])
      .map((name) => {
        const { [name]: value = '', ...others } = filters;
        const statuses: Record<string, string> = words.statuses;
        const shown =
          name === 'organizationId'
            ? (organizationName ?? value)
            : name === 'status' && Object.hasOwn(statuses, value)
              ? (statuses[value] ?? value)
              : name !== 'q' && isDay(value)
                ? dayOf(language, value)
                : value;
        return { label: `${words.fields[name]}: ${shown}`, without: partnerPaymentsHref(others) };
      }),
  );

const PAGE = 50;

function listOf(language: Language, { filters, found }: PartnerPaymentsView, words: PartnerWords): Html | null {
  if (found.kind === 'unavailable') return unavailable(language);
  if (found.kind !== 'rows') return null;
  const { rows, count, isCapped, offset } = found;
  if (rows.length === 0) {
    const clear = button('/partner/payments', listWords[language].none.clear, 'second');
    return empty({ ...words.noPayments, ...(Object.values(filters).some(Boolean) && { action: clear }) });
  }
  return html`<p class="explain quiet">${words.count(inFigures(count), isCapped)}</p>
    ${paymentTable(language, rows, words)}
    ${pager(language, {
      next: offset + rows.length < count ? partnerPaymentsHref(filters, { offset: offset + PAGE }) : null,
      first: offset === 0 ? null : partnerPaymentsHref(filters),
    })}`;
}

function paymentTable(language: Language, rows: readonly Row[], words: PartnerWords): Html {
  const of = paymentWords[language].columns;
  const { columns } = words;
  return table({
    caption: words.payments,
    columns: [
      { label: of.operationCode, kind: 'main' },
      { label: columns.organization },
      { label: of.status, kind: 'status' },
      { label: of.amount, kind: 'amount' },
      { label: columns.fee, kind: 'amount' },
      { label: columns.iva, kind: 'amount' },
      { label: columns.promotion, kind: 'amount' },
      { label: columns.take, kind: 'amount' },
    ],
    rows: rows.map(({ paymentDisbursement: part, cardInformation: card, ...row }) => [
      over(String(row.operationCode), timeElement(language, row.createdAt)),
      over(
        html`<span class="cut">${written(row.organization.name)}</span>`,
        `${networkName(card.networkType)} ${card.lastFourDigits.replace('****', '····')}`,
      ),
      badge(tones[row.status], words.statuses[row.status]),
      amount(centavosIn(row.amount)),
      amount(centavosIn(part.merchantFeeAmount)),
      amount(centavosIn(part.merchantIvaFeeAmount)),
      amount(centavosIn(part.promotionTakeAmount)),
      amount(centavosIn(part.merchantTakeAmount)),
    ]),
  });
}
