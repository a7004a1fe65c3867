import { html, type Html, unescaped } from '@cobro/html/html.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { notice, postForm, textField } from './form.ts';
import { accountWords } from './words.ts';

export interface SetUpView {
  /** The address of the form. */
  action: string;
  /** Four characters a group, for typing. */
  secret: string;
  /** An SVG element that we drew. */
  qr: string;
  problem?: string | undefined;
  status?: number;
}

export function setUpPage(frame: Frame, { action, secret, qr, problem, status = 200 }: SetUpView): Content {
  const words = accountWords[frame.language];
  const fields = html`${textField({
    name: 'code',
    label: words.code,
    hint: words.appCodeHint,
    autocomplete: 'one-time-code',
    isNumeric: true,
    mostCharacters: 7,
  })}
    <button class="button">${words.next}</button>`;
  return {
    status,
    title: words.setUp,
    main: html`<p>${words.setUpWhy}</p>
      ${drawn(qr, words.qr)}
      <p>${words.secret}: <code class="secret" translate="no">${secret}</code></p>
      ${notice(problem)}${postForm(frame, action, fields)}`,
  };
}

const drawn = (svg: string, label: string): Html =>
  html`<div class="qr" role="img" aria-label="${label}">${unescaped(svg)}</div>`;

/** Shown once. The download is the page's own text, so that it needs no request that could show the codes again. */
export function recoveryPage(frame: Frame, codes: readonly string[], next: string): Content {
  const words = accountWords[frame.language];
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`Cobro\n\n${codes.join('\n')}\n`)}`;
  return {
    status: 200,
    title: words.recovery,
    main: html`<p>${words.recoveryWhy}</p>
      <ol class="codes" translate="no">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ol>
      <p><a href="${file}" download="cobro.txt">${words.download}</a></p>
      <p><a class="button" href="${next}">${words.recoveryDone}</a></p>`,
  };
}
