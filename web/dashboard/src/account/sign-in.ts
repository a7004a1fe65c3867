import { html } from '@cobro/html/html.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { notice, postForm, textField } from './form.ts';
import { type PasskeyAsked, passkeyForm } from './passkey.ts';
import { accountWords } from './words.ts';

export interface SignInView {
  email: string;
  /** Where to go on. */
  next: string;
  problem?: string | undefined;
  status?: number;
  passkey: PasskeyAsked | undefined;
}

export function signInPage(frame: Frame, { email, next, problem, passkey, status = 200 }: SignInView): Content {
  const words = accountWords[frame.language];
  const fields = html`<input type="hidden" name="next" value="${next}" />
    ${textField({ name: 'email', label: words.email, type: 'email', value: email, autocomplete: 'username', isFocused: email === '' })}
    ${textField({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password' })}
    <button class="button">${words.signIn}</button>`;
  return {
    status,
    title: words.signIn,
    needsPasskeys: true,
    main: html`${notice(problem)}${postForm(frame, '/sign-in', fields)}${byPasskey(frame, '/sign-in/passkey', words.passkeySignIn, next, passkey)}`,
  };
}

export interface CodeView {
  next: string;
  problem?: string | undefined;
  status?: number;
  /** Set if the person has one. */
  passkey: PasskeyAsked | undefined;
}

const byPasskey = (frame: Frame, action: string, label: string, next: string, options: PasskeyAsked | undefined) =>
  options &&
  passkeyForm(frame, {
    action,
    kind: 'get',
    options,
    fields: html`<input type="hidden" name="next" value="${next}" />`,
    label,
  });

const codeField = (label: string, hint: string) =>
  textField({ name: 'code', label, hint, autocomplete: 'one-time-code', mostCharacters: 40, isFocused: true });

/** The second step of a sign-in. */
export function factorPage(frame: Frame, { next, problem, passkey, status = 200 }: CodeView): Content {
  const words = accountWords[frame.language];
  const fields = html`<input type="hidden" name="next" value="${next}" />
    ${codeField(words.code, words.codeHint)}
    <button class="button">${words.signIn}</button>`;
  return {
    status,
    title: words.factor,
    needsPasskeys: true,
    main: html`${notice(problem)}${postForm(frame, '/sign-in/factor', fields)}${byPasskey(frame, '/sign-in/factor/passkey', words.passkeySignIn, next, passkey)}`,
  };
}

/** Asks for a second factor before a dangerous action. */
export function confirmPage(frame: Frame, { next, problem, passkey, status = 200 }: CodeView): Content {
  const words = accountWords[frame.language];
  const fields = html`<input type="hidden" name="next" value="${next}" />
    ${codeField(words.code, words.confirmHint)}
    <button class="button">${words.next}</button>`;
  return {
    status,
    title: words.confirm,
    main: html`<p>${words.confirmWhy}</p>
      ${notice(problem)}${byPasskey(frame, '/confirm/passkey', words.passkeyConfirm, next, passkey)}${postForm(frame, '/confirm', fields)}`,
    needsPasskeys: true,
  };
}

/** The same for a session of an issuer, which is asked once more. */
export function confirmAtIssuerPage(frame: Frame, next: string): Content {
  const words = accountWords[frame.language];
  const fields = html`<input type="hidden" name="next" value="${next}" /><button class="button">${words.toIssuer}</button>`;
  return {
    status: 200,
    title: words.confirm,
    main: html`<p>${words.confirmAtIssuer}</p>
      ${postForm(frame, '/confirm/oidc', fields)}`,
  };
}
