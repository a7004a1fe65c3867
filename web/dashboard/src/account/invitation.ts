import { html } from '@cobro/html/html.ts';
import type { Content, Frame, Role } from '../shell/frame.ts';
import { shellWords } from '../shell/words.ts';
import { notice, postForm, textField } from './form.ts';
import { accountWords } from './words.ts';

export interface InvitationView {
  /** The address of the form. */
  action: string;
  purpose: 'join' | 'reset' | 'sign-in';
  email: string;
  /** Set for an invitation to join. */
  scopeName?: string;
  role?: Role;
  /** Whether somebody has an account with this e-mail. */
  hasAccount: boolean;
  resetsFactor: boolean;
  /** The scope's issuer, if any, by which the invited person may sign in. */
  issuer: string | null;
  name?: string;
  problem?: string | undefined;
  status?: number;
}

export function invitationPage(frame: Frame, view: InvitationView): Content {
  const words = accountWords[frame.language];
  const isNew = view.purpose === 'join' && !view.hasAccount;
  const setsPassword = isNew || view.purpose === 'reset';
  const fields = html`<p class="email"><bdi translate="no">${view.email}</bdi></p>
    ${isNew && textField({ name: 'name', label: words.name, value: view.name ?? '', autocomplete: 'name', mostCharacters: 100 })}
    ${
      setsPassword
        ? textField({
            name: 'password',
            label: words.newPassword,
            hint: words.passwordHint,
            type: 'password',
            autocomplete: 'new-password',
          })
        : view.purpose === 'join' &&
          textField({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password' })
    }
    <button class="button">${words.next}</button>`;
  return {
    status: view.status ?? 200,
    title: { join: words.invitation, reset: words.reset, 'sign-in': words.demo }[view.purpose],
    main: html`${introduction(frame, view)}${notice(view.problem)}${postForm(frame, view.action, fields)}
    ${view.issuer !== null && postForm(frame, `${view.action}/oidc`, html`<p class="actions"><button class="button second">${words.acceptAtIssuer(view.issuer)}</button></p>`)}`,
  };
}

function introduction({ language }: Frame, view: InvitationView) {
  const words = accountWords[language];
  if (view.purpose === 'sign-in') return html`<p>${words.demoWhy}</p>`;
  if (view.purpose === 'reset') return view.resetsFactor && html`<p>${words.resetFactorToo}</p>`;
  const role = view.role === undefined ? '' : shellWords[language].roles[view.role];
  return html`<p>${words.invitedTo(view.scopeName ?? '', role)}</p>
    ${view.hasAccount && html`<p>${words.invitedHas}</p>`}`;
}
