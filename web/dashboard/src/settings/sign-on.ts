import { html, type Html } from '@cobro/html/html.ts';
import { actionForm, field } from '../parts/form.ts';
import { notice } from '../parts/notice.ts';
import { badge, button, copyable, facts } from '../parts/small-parts.ts';
import { timeOf } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { settingsLinks } from './links.ts';
import { signOnWords } from './sign-on-words.ts';

interface KnownSignOn {
  issuer: string;
  clientId: string;
  testedAt: Date | null;
  isRequired: boolean;
  /** The address for the people of the scope. */
  address: string;
  /** The address for the issuer. */
  callback: string;
}

export interface SignOnView {
  signOn: KnownSignOn | null;
  isTestedNow: boolean;
  problem: string | undefined;
  status: number;
}

export function signOnPage(frame: Frame, view: SignOnView): Content {
  const { language } = frame;
  const words = signOnWords[language];
  const { signOn, problem } = view;
  const fields = [
    field(frame, {
      name: 'issuer',
      label: words.issuer,
      hint: words.issuerHint,
      type: 'url',
      value: signOn?.issuer,
      maxlength: 200,
    }),
    field(frame, { name: 'clientId', label: words.clientId, value: signOn?.clientId, maxlength: 500 }),
    field(frame, { name: 'secret', label: words.secret, hint: words.secretHint, type: 'password', maxlength: 500 }),
  ];
  return {
    status: view.status,
    title: words.title,
    section: 'settings',
    main: html`${settingsLinks(frame)}
      ${problem !== undefined && notice(language, { kind: 'bad', title: problem })}
      ${view.isTestedNow && signOn?.testedAt && notice(language, { kind: 'good', title: words.testedNow })}
      <p class="lead">${words.why}</p>
      ${
        signOn === null
          ? html`<p class="quiet">${words.callbackLater}</p>`
          : html`<div class="panel">${facts(stateOf(frame, signOn))} ${trials(frame)}</div>`
      }
      ${signOn !== null && requirement(frame, signOn)}
      <h2>${words.facts}</h2>
      ${signOn !== null && html`<p class="quiet">${words.enterWhy}</p>`}
      ${actionForm(frame, { action: '/settings/sign-on', fields, button: words.enter })}
      ${signOn !== null && removal(frame)}`,
  };
}

const stateOf = ({ language }: Frame, { address, callback, testedAt, isRequired }: KnownSignOn): [string, Html][] => {
  const words = signOnWords[language];
  const tested =
    testedAt === null
      ? badge('wait', words.untested)
      : html`${badge('good', words.tested)} ${timeOf(language, testedAt)}`;
  return [
    [words.callback, copyable(language, callback)],
    [words.address, copyable(language, address)],
    [words.status, html`${tested} ${isRequired && badge('quiet', words.required)}`],
  ];
};

function trials(frame: Frame): Html {
  const words = signOnWords[frame.language];
  return html`${actionForm(frame, { action: '/settings/sign-on/test', fields: [], button: words.test, kind: 'second' })}
    <p class="actions">${button('/settings/sign-on/link', words.link, 'second')}</p>`;
}

function requirement(frame: Frame, { testedAt, isRequired }: KnownSignOn): Html | null {
  const words = signOnWords[frame.language];
  const action = '/settings/sign-on/require';
  const off = html`<input type="hidden" name="off" value="yes" />`;
  const title = html`<h2>${words.required}</h2>`;
  if (isRequired) {
    return html`${title}${actionForm(frame, { action, fields: off, button: words.requireNoMore, kind: 'second' })}`;
  }
  if (testedAt === null) return null;
  const require = actionForm(frame, { action, fields: [], button: words.require, kind: 'second' });
  return html`${title}
    <p class="quiet">${words.requireWhy}</p>
    ${require}`;
}

function removal(frame: Frame): Html {
  const words = signOnWords[frame.language];
  return html`<h2>${words.remove}</h2>
    <p class="quiet">${words.removeWhy}</p>
    ${actionForm(frame, { action: '/settings/sign-on/remove', fields: [], button: words.remove, kind: 'danger' })}`;
}
