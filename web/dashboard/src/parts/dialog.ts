import { html, type Html } from '@cobro/html/html.ts';

interface DialogView {
  id: string;
  title: string;
  content: Html;
}

/** A form that the script opens over the page. Without the script, the link that opens it leads to a page with the same form. */
export const dialog = ({ id, title, content }: DialogView): Html =>
  html`<dialog id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${content}
  </dialog>`;

/** Opens the dialog `opens`, or leads to the page with its form. */
export const opener = (href: string, opens: string, label: string, kind = ''): Html =>
  html`<a class="button${kind && ` ${kind}`}" href="${href}" data-opens="${opens}">${label}</a>`;
