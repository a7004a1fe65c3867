import { html } from '@cobro/html/html.ts';
import { notice } from '../parts/notice.ts';
import { facts } from '../parts/small-parts.ts';
import { timeElement } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { clockWords } from './clock-words.ts';

export const clockMoves = ['day', '2259', '2301', 'back'] as const;
export type ClockMove = (typeof clockMoves)[number];

export interface ClockView {
  now: Date;
  realNow: Date;
  problem: 'unavailable' | null;
}

/** GET, and failed POST /clock */
export function clockPage(frame: Frame, { now, realNow, problem }: ClockView): Content {
  const { language } = frame;
  const words = clockWords[language];
  return {
    status: problem === null ? 200 : 503,
    title: words.title,
    main: html`${problem && notice(language, { kind: 'bad', ...words.unavailable })}
      <div class="stack">
        <section class="panel">
          <h2>${words.times}</h2>
          ${facts([
            [words.now, html`<strong>${timeElement(language, now.toISOString())}</strong>`],
            [words.realNow, timeElement(language, realNow.toISOString())],
          ])}
        </section>
        <section class="panel">
          <h2>${words.move}</h2>
          <p class="explain">${words.explain}</p>
          <form method="post" action="/clock" data-once>
            <input type="hidden" name="formToken" value="${frame.formToken}" />
            <input type="hidden" name="back" value="/clock" />
            <ul class="moves">
              ${clockMoves.map(
                (move) =>
                  html`<li>
                    <button class="button second" name="move" value="${move}" aria-describedby="why-${move}">${words.moves[move].label}</button>
                    <span class="hint" id="why-${move}">${words.moves[move].why}</span>
                  </li>`,
              )}
            </ul>
          </form>
        </section>
      </div>`,
  };
}
