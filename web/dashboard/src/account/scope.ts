import { html } from '@cobro/html/html.ts';
import type { Content, Frame, Role } from '../shell/frame.ts';
import { shellWords } from '../shell/words.ts';
import { postForm } from './form.ts';
import { accountWords } from './words.ts';

export interface ScopeView {
  memberships: readonly { id: string; scopeName: string; role: Role; isHere: boolean }[];
}

export function scopePage(frame: Frame, { memberships }: ScopeView): Content {
  const words = accountWords[frame.language];
  const choice = ({ id, scopeName, role, isHere }: ScopeView['memberships'][number]) =>
    html`<button name="membership" value="${id}" class="choice">
      <bdi translate="no">${scopeName}</bdi>
      <span class="quiet">${shellWords[frame.language].roles[role]}${isHere && html` · ${words.here}`}</span>
    </button>`;
  return {
    status: 200,
    title: words.scope,
    main:
      memberships.length === 0
        ? html`<p>${words.noScope}</p>`
        : postForm(frame, '/scope', html`<div class="choices">${memberships.map(choice)}</div>`),
  };
}
