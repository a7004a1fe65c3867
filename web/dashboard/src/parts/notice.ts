import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { code } from './small-parts.ts';
import { partWords } from './words.ts';

export interface NoticeView {
  kind: 'good' | 'bad' | 'wait';
  title: string;
  /** What to do next. */
  text?: Html | string;
  /** The code of a refusal. */
  code?: string;
  requestId?: string | null;
}

/** How an action ended. A refusal shows its code, and the id of the request for support. */
export function notice(language: Language, view: NoticeView): Html {
  const words = partWords[language];
  const { kind, title, text, requestId } = view;
  return html`<div class="notice ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">
    <p class="notice-title">${title}</p>
    ${text && html`<p>${text}</p>`}
    ${
      view.code &&
      html`<p class="notice-code">${words.refusalCode} ${code(view.code)}${requestId && html` · ${words.requestId} ${code(requestId)}`}</p>`
    }
  </div>`;
}
