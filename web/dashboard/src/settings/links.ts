import { html, type Html } from '@cobro/html/html.ts';
import type { Frame } from '../shell/frame.ts';
import { settingsWords } from './words.ts';

/** To the other settings, of those that this person may see. */
export function settingsLinks({ language, acting, address }: Frame): Html {
  const { profile, devices, people, signOn, audit, settings } = settingsWords[language];
  const leads = acting?.role === 'owner' || acting?.role === 'admin';
  const own = [
    ['/settings/profile', profile],
    ['/settings', devices],
  ];
  const ofLeaders = [
    ['/settings/people', people],
    ['/settings/sign-on', signOn],
    ['/settings/audit', audit],
  ];
  const [here] = address.split('?', 1);
  const link = ([href = '', label = '']: string[]) =>
    html`<a href="${href}"${href === here && html` aria-current="page"`}>${label}</a>`;
  return html`<nav class="tabs" aria-label="${settings}">${[...own, ...(leads ? ofLeaders : [])].map(link)}</nav>`;
}
