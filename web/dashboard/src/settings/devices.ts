import { html, type Html } from '@cobro/html/html.ts';
import { postForm } from '../account/form.ts';
import { badge } from '../parts/small-parts.ts';
import { timeElement } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { deviceName } from './device-name.ts';
import { settingsLinks } from './links.ts';
import { passkeyList, type PasskeyView } from './passkeys.ts';
import { settingsWords } from './words.ts';

export interface DevicesView {
  devices: readonly { id: string; seenAt: Date; userAgent: string; address: string; isHere: boolean }[];
  codesLeft: number;
  passkeys: readonly PasskeyView[];
  /** False if an issuer vouched for the session. */
  isOwnAccount: boolean;
}

export function devicesPage(frame: Frame, { devices, codesLeft, passkeys, isOwnAccount }: DevicesView): Content {
  const words = settingsWords[frame.language];
  const row = ({ id, seenAt, userAgent, address, isHere }: DevicesView['devices'][number]) => html`<li>
    <div class="what">
      <p><strong>${deviceName(userAgent) ?? words.unknownDevice}</strong> ${isHere && badge('good', words.here)}</p>
      <p class="quiet">${words.from}: ${address} · ${words.seen}: ${timeElement(frame.language, seenAt.toISOString())}</p>
    </div>
    ${postForm(frame, `/settings/devices/${id}/end`, html`<button class="button second">${words.end}</button>`)}
  </li>`;
  const everywhere = html`<input type="hidden" name="everywhere" value="yes" />
    <button class="button danger">${words.endAll}</button>`;
  return {
    status: 200,
    title: words.devices,
    section: 'settings',
    main: html`${settingsLinks(frame)}
      <ul class="entries">
        ${devices.map(row)}
      </ul>
      ${postForm(frame, '/sign-out', everywhere)}
      ${isOwnAccount ? ownFactors(frame, passkeys, codesLeft) : html`<p class="quiet">${words.byIssuer}</p>`}`,
  };
}

function ownFactors(frame: Frame, passkeys: readonly PasskeyView[], codesLeft: number): Html {
  const words = settingsWords[frame.language];
  return html`${passkeyList(frame, passkeys)}
    <h2>${words.recoveryCodes}</h2>
    <p>${words.codesLeft(codesLeft)}</p>
    ${postForm(frame, '/settings/recovery-codes', html`<button class="button second">${words.newCodes}</button>`)}`;
}
