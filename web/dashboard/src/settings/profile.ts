import { html, type Html } from '@cobro/html/html.ts';
import { actionForm, choice, field } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { button, facts, written } from '../parts/small-parts.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { settingsLinks } from './links.ts';
import { profileWords } from './profile-words.ts';
import { settingsWords } from './words.ts';

export interface ProfileView {
  name: string;
  email: string;
  /** What has just been done. */
  done: 'profile' | 'password' | 'factor' | null;
  problem: string | undefined;
  status: number;
  /** False if an issuer vouched for the session. */
  isOwnAccount: boolean;
}

export function profilePage(frame: Frame, view: ProfileView): Content {
  const { language } = frame;
  const words = profileWords[language];
  const { done, problem, email, isOwnAccount } = view;
  const said = done && { profile: words.saved, password: words.changed, factor: words.factorChanged }[done];
  return {
    status: view.status,
    title: words.title,
    section: 'settings',
    main: html`${settingsLinks(frame)}
      ${problem !== undefined && notice(language, { kind: 'bad', title: problem })}
      ${said && notice(language, { kind: 'good', title: said })}
      ${facts([[words.email, written(email)]])}
      ${isOwnAccount ? ownForms(frame, view) : html`<p class="quiet">${settingsWords[language].byIssuer}</p>`}`,
  };
}

function ownForms(frame: Frame, { name }: ProfileView): Html {
  const { language } = frame;
  const words = profileWords[language];
  const options = [
    ['es', words.spanish],
    ['en', words.english],
  ] as const;
  const profile = [
    field(frame, { name: 'name', label: words.name, value: name, maxlength: 100, autocomplete: 'name' }),
    choice({ name: 'language', label: words.language, value: language, options }),
  ];
  const hint = words.nextHint;
  const password = [
    field(frame, { name: 'password', label: words.present, type: 'password', autocomplete: 'current-password' }),
    field(frame, { name: 'newPassword', label: words.next, hint, type: 'password', autocomplete: 'new-password' }),
  ];
  return html`${actionForm(frame, { action: '/settings/profile', fields: profile, button: words.save })}
    <h2>${words.password}</h2>
    <p class="quiet">${words.passwordWhy}</p>
    ${actionForm(frame, { action: '/settings/profile/password', fields: password, button: words.change, kind: 'second' })}
    <h2>${words.factor}</h2>
    <p class="quiet">${words.factorWhy}</p>
    <p class="actions">${button('/settings/factor', words.changeFactor, 'second')}</p>`;
}
