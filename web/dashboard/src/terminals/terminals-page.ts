import type { TerminalItem } from '@cobro/contracts/payment-intents.ts';
import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { notice, type NoticeView } from '../parts/notice.ts';
import { amount, badge, centavosIn, code, copyable, empty, unavailable, written } from '../parts/small-parts.ts';
import { timeElement } from '../parts/time.ts';
import { noticeOf } from '../payments/action-page.ts';
import { paymentHref } from '../payments/payment-parts.ts';
import { type Content, type Frame, mayOperate } from '../shell/frame.ts';
import { terminalWords, type TerminalWords } from './terminal-words.ts';

export interface TerminalTile {
  terminal: TerminalItem;
  /** Whether it asked for work in the last minutes. */
  isConnected: boolean;
  /** The id of the tile's form: sent twice, it makes one intent. */
  formId: string;
  /** What was typed into it. */
  amount: string;
}

export type TerminalProblem =
  | { kind: 'wrong-amount' }
  | { kind: 'refused'; code: string; status: number; requestId: string }
  | { kind: 'lost'; requestId: string };

export interface TerminalsView {
  /** Null if they did not come in time. */
  tiles: readonly TerminalTile[] | null;
  /** How many are not shown. */
  more: number;
  organizationId: string;
  done: 'sent' | 'cancelled' | null;
  problem: TerminalProblem | null;
}

/** GET, and refused POST /terminals */
export function terminalsPage(frame: Frame, view: TerminalsView): Content {
  const words = terminalWords[frame.language];
  return {
    status: statusOf(view),
    title: words.title,
    section: 'terminals',
    main: html`${saidOf(frame.language, view, words)} ${tilesOf(frame, view, words)}`,
  };
}

function statusOf({ problem, tiles }: TerminalsView): number {
  if (problem === null) return tiles === null ? 503 : 200;
  if (problem.kind === 'refused') return problem.status;
  return problem.kind === 'lost' ? 502 : 400;
}

function saidOf(language: Language, { problem, done }: TerminalsView, words: TerminalWords): Html | null {
  if (problem === null) return done && notice(language, { kind: 'good', title: words[done] });
  if (problem.kind === 'wrong-amount') return notice(language, { kind: 'bad', ...words.wrongAmount });
  const { refusals, lost } = words;
  const said = problem.kind === 'lost' ? lost : Object.hasOwn(refusals, problem.code) ? refusals[problem.code] : {};
  const view: NoticeView = { ...noticeOf(language, problem), ...said };
  return notice(language, view);
}

function tilesOf(frame: Frame, { tiles, more, organizationId }: TerminalsView, words: TerminalWords): Html {
  if (tiles === null) return unavailable(frame.language);
  if (tiles.length === 0) {
    const command = `npm run admin -- terminals create --organization ${organizationId} --serial SN-0001`;
    return empty({ ...words.empty, action: copyable(frame.language, command) });
  }
  return html`<div class="tiles" data-refreshes="/terminals">${tiles.map((tile) => tileOf(frame, tile, words))}</div>
    <p class="hint">${words.updates}${more > 0 && html` ${words.more(more)}`}</p>`;
}

function tileOf(frame: Frame, tile: TerminalTile, words: TerminalWords): Html {
  const { terminal } = tile;
  const { id, terminalCode, branch, salesperson } = terminal;
  return html`<section class="panel tile" aria-labelledby="name-${id}">
    <div>
      <h2 id="name-${id}">${written(terminalCode)}</h2>
      <p class="quiet">${branch && written(branch.name)}${branch && salesperson && ' · '}${salesperson && html`${words.salesperson}: ${written(salesperson.name)}`}</p>
    </div>
    <div class="tile-now" data-live="now-${id}">${stateOf(frame, tile, words)}</div>
    ${mayOperate(frame) && sendForm(frame, tile, words)}
  </section>`;
}

function stateOf(frame: Frame, { terminal, isConnected }: TerminalTile, words: TerminalWords): Html {
  const { language } = frame;
  const { openIntent, lastOutcome, seenAt } = terminal;
  const connection =
    seenAt === null
      ? badge('quiet', words.never)
      : isConnected
        ? badge('good', words.connected)
        : html`${badge('bad', words.away)} <span class="small quiet"><span class="unseen">${words.seen}</span> ${timeElement(language, seenAt)}</span>`;
  return html`<p class="tile-line">${connection}</p>
    ${openIntent === null ? html`<p class="tile-intent quiet">${words.idle}</p>` : openOf(frame, openIntent, words)}
    <p class="tile-last small"><span class="quiet">${words.last}:</span> ${lastOutcome === null ? words.noLast : lastOf(language, lastOutcome, words)}</p>`;
}

function openOf(frame: Frame, intent: NonNullable<TerminalItem['openIntent']>, words: TerminalWords): Html {
  const { id, isCharging, expiresAt } = intent;
  return html`<div class="tile-intent">
    <p class="big">${amount(centavosIn(intent.amount))} ${badge('wait', isCharging ? words.charging : words.waiting)}</p>
    <p class="small quiet">${words.until} ${timeElement(frame.language, expiresAt)}</p>
    ${
      mayOperate(frame) &&
      !isCharging &&
      html`<form method="post" action="/terminals/cancel" data-once>
        ${hidden(frame, { intent: id })}
        <button class="button second small" id="cancel-${id}">${words.cancel}</button>
      </form>`
    }
  </div>`;
}

function lastOf(language: Language, last: NonNullable<TerminalItem['lastOutcome']>, words: TerminalWords): Html {
  const { outcome, paymentId, operationCode, declineCode, tappedAt } = last;
  const shown = html`${amount(centavosIn(last.amount))} ${badge(outcome === 'CONFIRMED' ? 'good' : 'bad', words.outcomes[outcome])}`;
  return html`${shown}<br />
    ${timeElement(language, tappedAt)}
    ${paymentId !== null && operationCode !== null && html`<a href="${paymentHref(paymentId)}">${operationCode}</a>`}
    ${declineCode && code(declineCode)}`;
}

function sendForm(frame: Frame, { terminal, formId, amount: typed }: TerminalTile, words: TerminalWords): Html {
  const { id, terminalCode } = terminal;
  return html`<form method="post" action="/terminals" class="tile-form" data-once>
    ${hidden(frame, { terminal: terminalCode, formId })}
    <label for="amount-${id}">${words.amount}</label>
    <div class="search">
      <span class="money-input"><span aria-hidden="true">$</span><input id="amount-${id}" name="amount" value="${typed}" inputmode="decimal" maxlength="15" autocomplete="off" required aria-describedby="replaces-${id}" /></span>
      <button class="button" aria-label="${words.send}: ${terminalCode}">${words.send}</button>
    </div>
    <p class="hint" id="replaces-${id}">${words.replaces}</p>
  </form>`;
}

const hidden = ({ formToken, address }: Frame, fields: Readonly<Record<string, string>>): Html[] =>
  Object.entries({ formToken, back: address, ...fields }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
