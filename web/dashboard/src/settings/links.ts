import { html, type Html } from '@cobro/html/html.ts';
import type { Frame } from '../shell/frame.ts';
import { settingsWords } from './words.ts';

/** To the other settings, of those that this person may see. */
export function settingsLinks({ language, acting }: Frame): Html {
  const { profile, devices, people, signOn, audit } = settingsWords[language];
  const leads = acting?.role === 'owner' || acting?.role === 'admin';
  return html`<p class="links">
    <a href="/settings/profile">${profile}</a> <a href="/settings">${devices}</a>
    ${leads && html`<a href="/settings/people">${people}</a> <a href="/settings/sign-on">${signOn}</a> <a href="/settings/audit">${audit}</a>`}
  </p>`;
}
