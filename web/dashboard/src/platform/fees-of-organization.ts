import { type FeeChannel, fundingSources } from '@cobro/contracts/fee-channels.ts';
import { offeredTerms } from '@cobro/contracts/offered-terms.ts';
import { paymentTypes } from '@cobro/contracts/payment-fields.ts';
import { cardNetworks } from '@cobro/contracts/promotions.ts';
import { html, type Html } from '@cobro/html/html.ts';
import { channelCells, feeCells, feeColumns } from '../calculator/fees-page.ts';
import { calculatorWords } from '../calculator/calculator-words.ts';
import type { LinkProblem } from '../links/link-parts.ts';
import { actionForm, checks, choice, field } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { empty, unavailable } from '../parts/small-parts.ts';
import { table } from '../parts/table.ts';
import { networkName } from '../payments/payment-parts.ts';
import { statusOf } from '../promotions/promotion-parts.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { placeNotice } from './new-place.ts';
import { placeWords, type PlaceWords } from './place-words.ts';
import { platformWords } from './words.ts';

export type FeeField = keyof PlaceWords['fees']['wrong'];

export interface FeesOfOrganizationView {
  organization: { id: string; name: string };
  /** Null if they did not come in time. */
  rows: readonly FeeChannel[] | null;
  typed: { fee?: string; discount?: string; take?: string; network?: string; fundingSource?: string };
  chosen: { types: readonly string[]; terms: readonly string[] };
  wrong: readonly FeeField[];
  problem: LinkProblem | null;
  isDone: boolean;
}

export const feesHref = (organizationId: string): string => `/platform/organizations/${organizationId}/fees`;

/** GET /platform/organizations/{id}/fees, and its refused forms. */
export function feesOfOrganizationPage(frame: Frame, view: FeesOfOrganizationView): Content {
  const { language } = frame;
  const { fees: words, done } = placeWords[language];
  const { organization, rows, problem, wrong } = view;
  const isWrong = problem === null && wrong.length > 0;
  return {
    status: isWrong ? 400 : rows === null && problem === null ? 503 : statusOf(problem),
    title: words.of(organization.name),
    section: 'platform',
    trail: { href: '/platform/organizations', label: platformWords[language].title },
    main: html`${view.isDone && notice(language, { kind: 'good', title: done.fees })}
      ${problem && notice(language, placeNotice(language, problem))}
      <p class="explain quiet">${words.intro}</p>
      <div class="stack">
        ${rows === null ? unavailable(language) : rows.length === 0 ? empty(words.none) : feeTable(frame, organization.id, rows)}
        <section class="panel">
          <h2>${words.set}</h2>
          <p class="explain quiet">${words.setHint}</p>
          ${actionForm(frame, { action: feesHref(organization.id), fields: fieldsOf(frame, view), button: words.button })}
        </section>
      </div>`,
  };
}

function feeTable(frame: Frame, id: string, rows: readonly FeeChannel[]): Html {
  const { fees: words } = placeWords[frame.language];
  return table({
    caption: words.title,
    columns: [...feeColumns(frame.language), { label: words.action }],
    rows: rows.map((row) => {
      const { type, network, fundingSource, terms } = row;
      const named = { type, network: network ?? '', fundingSource: fundingSource ?? '', terms: String(terms) };
      const label = words.removeOf(channelCells(frame.language, row).join(', '));
      return [
        ...feeCells(frame.language, row),
        actionForm(frame, {
          action: `${feesHref(id)}/remove`,
          fields: Object.entries(named).map(
            ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
          ),
          button: html`<span aria-hidden="true">${words.remove}</span><span class="unseen">${label}</span>`,
          kind: 'second',
        }),
      ];
    }),
  });
}

function fieldsOf(frame: Frame, { typed, chosen, wrong }: FeesOfOrganizationView): Html {
  const { fees: words } = placeWords[frame.language];
  const { types, fundingSources: sources, single, months } = calculatorWords[frame.language];
  const errorOf = (name: FeeField) => (wrong.includes(name) ? words.wrong[name] : undefined);
  const rate = (name: 'fee' | 'discount' | 'take', isOptional: boolean) =>
    field(frame, {
      name,
      label: words[name],
      hint: words.hint,
      value: typed[name],
      error: errorOf(name),
      isDecimal: true,
      isOptional,
      maxlength: 6,
    });
  const any = ['', words.any] as const;
  return html`${checks({
    name: 'types',
    label: words.types,
    error: errorOf('types'),
    options: paymentTypes.map((type) => [type, types[type]] as const),
    chosen: chosen.types,
  })}
    ${choice({ name: 'network', label: words.network, value: typed.network, options: [any, ...cardNetworks.map((network) => [network, networkName(network)] as const)] })}
    ${choice({ name: 'fundingSource', label: words.fundingSource, value: typed.fundingSource, options: [any, ...fundingSources.map((source) => [source, sources[source]] as const)] })}
    ${checks({
      name: 'terms',
      label: words.terms,
      error: errorOf('terms'),
      options: offeredTerms.map((terms) => [String(terms), terms === 1 ? single : months(terms)] as const),
      chosen: chosen.terms,
    })}
    ${rate('fee', false)} ${rate('discount', true)} ${rate('take', true)}`;
}
