import type { TimelineOperation } from '@cobro/contracts/payment-timeline.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { amount, badge, centavosIn, code, type Tone, written } from '../parts/small-parts.ts';
import { exactTime } from '../parts/time.ts';
import { type DetailWords, detailWords } from './detail-words.ts';

interface TimelineView {
  complete: boolean;
  operations: readonly TimelineOperation[];
  names: Readonly<Record<string, string>>;
}

const tones: { [Name in TimelineOperation['outcome']]: Tone } = {
  OPEN: 'wait',
  APPROVED: 'good',
  DECLINED: 'bad',
  NOT_PROCESSED: 'quiet',
  NOT_SENT: 'quiet',
};

/** All that was asked of the bank about a payment, the oldest first. */
export function timeline(language: Language, { complete, operations, names }: TimelineView): Html {
  const words = detailWords[language];
  return html`<section class="panel">
    <h2>${words.timelinePanel}</h2>
    ${!complete && html`<p class="incomplete" role="status">${words.incomplete}</p>`}
    <ol class="timeline">
      ${operations.map((operation) => step(language, operation, words, names))}
    </ol>
    <p class="quiet small">${words.timelineClock}</p>
  </section>`;
}

function step(
  language: Language,
  operation: TimelineOperation,
  words: DetailWords,
  names: TimelineView['names'],
): Html {
  const { purpose, outcome, amount: pesos, silentAt, settledAt, inquiries, reason } = operation;
  const lines: (Html | null)[] = [
    html`${words.asked}: ${exactTime(language, operation.askedAt)}${by(operation, words, names)}`,
    silentAt === null ? null : html`${words.silent}: ${exactTime(language, silentAt)}`,
    inquiries === 0 ? null : html`${words.inquiries(inquiries)}.`,
    settledAt === null ? null : html`${words.settled}: ${exactTime(language, settledAt)}`,
    operation.declineCode === null ? null : html`${words.decline}: ${code(operation.declineCode)}`,
    operation.bankReference === null ? null : html`${words.reference}: ${code(operation.bankReference)}`,
    reason === null ? null : html`«${written(reason)}»`,
  ];
  return html`<li class="${tones[outcome]}">
    <p class="step">
      <strong>${words.purposes[purpose]}</strong>${pesos !== null && html` ${amount(centavosIn(pesos))}`}
      ${badge(tones[outcome], words.outcomes[outcome])}
    </p>
    ${lines.map((line) => line && html`<p class="quiet">${line}</p>`)}
  </li>`;
}

function by({ askedBy }: TimelineOperation, words: DetailWords, names: TimelineView['names']): Html | null {
  if (askedBy === null) return null;
  const name = Object.hasOwn(names, askedBy.id) ? names[askedBy.id] : undefined;
  if (askedBy.kind === 'person') return name === undefined ? html`, ${words.byPerson}` : html`, ${written(name)}`;
  return html`, ${words.byKey} ${name === undefined ? code(`…${askedBy.id.slice(-8)}`) : written(name)}`;
}
