import { html, type Html } from '@cobro/html/html.ts';
import type { Frame } from '../shell/frame.ts';
import { postForm } from './form.ts';
import { accountWords } from './words.ts';

/** Options of WebAuthn, in JSON. */
export interface PasskeyAsked {
  challenge: string;
  rpId: string;
  userVerification: 'required';
  timeout: number;
}

interface PasskeyForm {
  action: string;
  kind: 'get' | 'create';
  options: object;
  fields?: Html | undefined;
  label: string;
  isMain?: true;
}

/** A form that the script fills in from a device, and shows if the browser knows passkeys. Without the script it stays hidden. */
export function passkeyForm(frame: Frame, { action, kind, options, fields, label, isMain }: PasskeyForm): Html {
  const { problems } = accountWords[frame.language];
  return html`<div class="passkey" data-passkey="${kind}" data-options="${JSON.stringify(options)}" hidden>
    ${postForm(
      frame,
      action,
      html`${fields}<input type="hidden" name="answer" value="" />
        <p class="notice bad" role="alert" hidden>${problems.noPasskey}</p>
        <button class="button${!isMain && ' second'}">${label}</button>`,
    )}
  </div>`;
}
