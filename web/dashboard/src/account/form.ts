import { html, type Html } from '@cobro/html/html.ts';
import type { Frame } from '../shell/frame.ts';

/** A form that changes something. `back` is the page to come back to if its session has ended. */
export const postForm = (
  { formToken, address }: Pick<Frame, 'formToken' | 'address'>,
  action: string,
  content: Html,
): Html => html`<form method="post" action="${action}">
  <input type="hidden" name="formToken" value="${formToken}" />
  <input type="hidden" name="back" value="${address}" />
  ${content}
</form>`;

/** A sentence above a form: what was wrong, or what happened. */
export const notice = (sentence: string | undefined): Html | undefined =>
  sentence === undefined ? undefined : html`<p class="notice bad" role="alert">${sentence}</p>`;

export interface TextField {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  value?: string;
  hint?: string;
  autocomplete?: string;
  /** Only digits. */
  isNumeric?: boolean;
  mostCharacters?: number;
  isFocused?: boolean;
}

/** A field that has to be filled in. */
export const textField = (field: TextField): Html => html`<p class="field">
  <label for="${field.name}">${field.label}</label>
  ${field.hint && html`<span class="hint" id="${field.name}-hint">${field.hint}</span>`}
  <input
    id="${field.name}"
    name="${field.name}"
    type="${field.type ?? 'text'}"
    value="${field.value ?? ''}"
    required
    ${field.autocomplete && html` autocomplete="${field.autocomplete}"`}
    ${field.isNumeric && html` inputmode="numeric"`}
    ${field.mostCharacters && html` maxlength="${field.mostCharacters}"`}
    ${field.hint && html` aria-describedby="${field.name}-hint"`}
    ${field.isFocused && html` autofocus`}
  />
</p>`;
