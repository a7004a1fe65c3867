import { html } from '@cobro/html/html.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { notice, postForm, textField } from './form.ts';
import { accountWords } from './words.ts';

export interface SignInView {
  email: string;
  /** Where to go on. */
  next: string;
  problem?: string | undefined;
  status?: number;
}

export function signInPage(frame: Frame, { email, next, problem, status = 200 }: SignInView): Content {
  const words = accountWords[frame.language];
  const fields = html`<input type="hidden" name="next" value="${next}" />
    ${textField({ name: 'email', label: words.email, type: 'email', value: email, autocomplete: 'username', isFocused: email === '' })}
    ${textField({ name: 'password', label: words.password, type: 'password', autocomplete: 'current-password' })}
    <button class="primary">${words.signIn}</button>`;
  return {
    status,
    title: words.signIn,
    main: html`${notice(problem)}${postForm(frame, '/sign-in', fields)}`,
  };
}

export interface CodeView {
  next: string;
  problem?: string | undefined;
  status?: number;
}

const codeField = (label: string, hint: string) =>
  textField({ name: 'code', label, hint, autocomplete: 'one-time-code', mostCharacters: 40, isFocused: true });

/** The second step of a sign-in. */
export function factorPage(frame: Frame, { next, problem, status = 200 }: CodeView): Content {
  const words = accountWords[frame.language];
  const fields = html`<input type="hidden" name="next" value="${next}" />
    ${codeField(words.code, words.codeHint)}
    <button class="primary">${words.signIn}</button>`;
  return { status, title: words.factor, main: html`${notice(problem)}${postForm(frame, '/sign-in/factor', fields)}` };
}

/** Before what is dangerous. */
export function confirmPage(frame: Frame, { next, problem, status = 200 }: CodeView): Content {
  const words = accountWords[frame.language];
  const fields = html`<input type="hidden" name="next" value="${next}" />
    ${codeField(words.code, words.confirmHint)}
    <button class="primary">${words.next}</button>`;
  return {
    status,
    title: words.confirm,
    main: html`<p>${words.confirmWhy}</p>
      ${notice(problem)}${postForm(frame, '/confirm', fields)}`,
  };
}
