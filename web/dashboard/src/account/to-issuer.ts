import { html } from '@cobro/html/html.ts';
import { plain } from '@cobro/html/plain.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { postForm } from './form.ts';
import { toIssuerWords } from './to-issuer-words.ts';
import { accountWords } from './words.ts';

interface Place {
  scopeName: string;
  issuer: string;
}

interface AskView extends Place {
  kind: 'signIn' | 'link';
  /** The address of the form. */
  action: string;
  /** Where to go on once back. */
  next: string;
}

/** Shown before a browser goes to an issuer: a link on another site opens this page, and goes no further. */
export function askForIssuerPage(frame: Frame, { kind, action, next, scopeName, issuer }: AskView): Content {
  const { toIssuer, signIn, linkIssuer } = accountWords[frame.language];
  return {
    status: 200,
    title: kind === 'link' ? linkIssuer : signIn,
    main: html`<p>${toIssuerWords[frame.language][kind](plain(scopeName), issuer)}</p>
      ${postForm(
        frame,
        action,
        html`<input type="hidden" name="next" value="${next}" /><button class="button">${toIssuer}</button>`,
      )}`,
  };
}

/** Leads to an issuer by a link: the policy lets no form redirect to another origin. */
export function toIssuerPage({ language }: Frame, { href, issuer }: { href: string; issuer: string }): Content {
  const { toIssuer } = accountWords[language];
  return {
    status: 200,
    title: toIssuer,
    headers: { Refresh: `0;url=${href}` },
    main: html`<p>${toIssuerWords[language].leaving(issuer)}</p>
      <p class="actions"><a class="button" href="${href}">${toIssuer}</a></p>`,
  };
}

export function linkedPage({ language }: Frame, { subject, issuer, scopeName }: Place & { subject: string }): Content {
  const words = toIssuerWords[language];
  return {
    status: 200,
    title: words.linked,
    main: html`<p>${words.linkedWhat(plain(subject), issuer, plain(scopeName))}</p>
      <p class="actions"><a class="button" href="/settings">${words.toSettings}</a></p>`,
  };
}
