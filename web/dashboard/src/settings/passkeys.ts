import { html, type Html } from '@cobro/html/html.ts';
import { notice, postForm } from '../account/form.ts';
import { passkeyForm } from '../account/passkey.ts';
import { field } from '../parts/form.ts';
import { timeElement } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { settingsWords } from './words.ts';

export interface PasskeyView {
  id: string;
  name: string;
  createdAt: Date;
  usedAt: Date | null;
}

/** On the page of one's own account. */
export function passkeyList(frame: Frame, passkeys: readonly PasskeyView[]): Html {
  const words = settingsWords[frame.language];
  const { language } = frame;
  const row = ({ id, name, createdAt, usedAt }: PasskeyView) => html`<li>
    <p><bdi translate="no">${name}</bdi></p>
    <p class="quiet">
      ${words.since}: ${timeElement(language, createdAt.toISOString())} · ${words.used}:
      ${usedAt === null ? words.never : timeElement(language, usedAt.toISOString())}
    </p>
    ${postForm(frame, `/settings/passkeys/${id}/remove`, html`<button class="button danger">${words.remove}</button>`)}
  </li>`;
  return html`<h2>${words.passkeys}</h2>
    <p>${words.passkeysWhy}</p>
    ${passkeys.length > 0 && html`<ul class="devices">${passkeys.map(row)}</ul>`}
    <p><a class="button second" href="/settings/passkeys/new">${words.addPasskey}</a></p>`;
}

export interface NewPasskeyView {
  options: object;
  problem?: string | undefined;
  status: number;
}

export function newPasskeyPage(frame: Frame, { options, problem, status }: NewPasskeyView): Content {
  const words = settingsWords[frame.language];
  const label = words.passkeyName;
  return {
    status,
    title: words.addPasskey,
    section: 'settings',
    trail: { href: '/settings', label: words.devices },
    needsPasskeys: true,
    main: html`<p>${words.addPasskeyWhy}</p>
      ${notice(problem)}
      ${passkeyForm(frame, {
        action: '/settings/passkeys',
        kind: 'create',
        options,
        fields: field(frame, { name: 'name', label, hint: words.passkeyNameHint, maxlength: 60, isOptional: true }),
        label: words.addPasskey,
        button: 'primary',
      })}
      <noscript><p>${words.passkeyNeedsScript}</p></noscript>`,
  };
}
