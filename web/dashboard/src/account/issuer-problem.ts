import { html } from '@cobro/html/html.ts';
import { notice } from '../parts/notice.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { type IssuerProblem, issuerWords } from './issuer-words.ts';
import { accountWords } from './words.ts';

interface View {
  kind: IssuerProblem;
  status: number;
  requestId: string;
}

/** Why a sign-in at an issuer failed, and what to do. */
export function issuerProblemPage({ language }: Frame, { kind, status, requestId }: View): Content {
  const { title, sentence } = issuerWords[language][kind];
  const { signIn, linkIssuer } = accountWords[language];
  return {
    status,
    title,
    main: html`${notice(language, { kind: 'bad', title, text: sentence, code: kind, requestId })}
      <p class="actions">
        <a class="button" href="/sign-in">${signIn}</a>
        ${kind === 'stranger' && html`<a class="button second" href="/settings/sign-on/link">${linkIssuer}</a>`}
      </p>`,
  };
}
