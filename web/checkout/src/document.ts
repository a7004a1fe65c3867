import { checkoutAddress } from './checkout-address.ts';
import type { CheckoutAssets } from './assets.ts';
import type { CheckoutView, Merchant } from './checkout-view.ts';
import { html, type Html, unescaped } from '@cobro/html/html.ts';
import { icons } from '@cobro/html/icons.ts';
import { accentsOf } from './merchant-colors.ts';
import { plain } from '@cobro/html/plain.ts';
import { initialsOf } from './merchant-name.ts';
import { messagesIn } from './messages-in.ts';
import type { Messages } from './messages.ts';
import { inlineStyle, pageHeaders } from '@cobro/html/page-headers.ts';

/** What one state puts into the page. */
export interface Content {
  status: number;
  /** The tab's title; plain text. */
  title: string;
  main: Html;
  /** Further parts of the head, if the state needs them. */
  head?: Html;
  headers?: Record<string, string>;
  encrypted?: boolean;
}

/** A page to be sent as it is. */
export interface Page {
  status: number;
  headers: Record<string, string>;
  html: string;
}

/** A merchant's name in our text: its reading direction affects nothing around it, and no translator changes it. */
export const nameOf = (merchant: Merchant): Html => html`<bdi translate="no">${plain(merchant.name)}</bdi>`;

/** The name if it is short enough for a button. */
export const shortNameOf = (merchant: Merchant): Html | undefined =>
  [...plain(merchant.name)].length <= 40 ? nameOf(merchant) : undefined;

export const avatarOf = (merchant: Merchant): Html =>
  html`<span class="avatar" aria-hidden="true">${initialsOf(merchant.name)}</span>`;

/** The whole document around the content of a state. */
export function documentOf(view: CheckoutView, content: Content, assets: CheckoutAssets): Page {
  const merchant = 'merchant' in view ? view.merchant : undefined;
  const accents = accentsOf(merchant?.color ?? null);
  const style = `${colorsOf(accents)}${assets.style}`;
  const page = html`<!doctype html>
    <html lang="${view.language}" data-state="${view.state}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${content.title}</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${iconOf(merchant, accents.light)}" />
        ${unescaped(`<style>${style}</style>`)}
        <script src="${assets.scriptAddress}" integrity="${assets.scriptIntegrity}" defer></script>
        ${content.head}
      </head>
      <body>
        ${topOf(view, messagesIn[view.language], content)} ${content.main}
      </body>
    </html> `;
  return {
    status: content.status,
    headers: { ...pageHeaders({ styles: inlineStyle(style), language: view.language }), ...content.headers },
    html: page.toString(),
  };
}

type Accents = ReturnType<typeof accentsOf>;

function colorsOf({ light, dark }: Accents): string {
  const rule = ({ fill, edge, onFill, ink }: Accents['light']) =>
    `:root{--fill:${fill};--fill-edge:${edge};--on-fill:${onFill};--ink:${ink}}`;
  return `${rule(light)}@media(prefers-color-scheme:dark){${rule(dark)}}`;
}

function topOf(view: CheckoutView, messages: Messages, { encrypted }: Content): Html {
  const { language, name } = messages.otherLanguage;
  const attempt = 'attempt' in view ? view.attempt : null;
  const there = checkoutAddress(view.id, { attempt, language });
  return html`<header class="top">
    ${encrypted && html`<p class="encrypted">${icons.lock}${messages.encrypted}</p>`}
    <a class="language" href="${there}" lang="${language}" hreflang="${language}">${name}</a>
  </header>`;
}

/** The initials on the merchant's colour, as an address that needs no request. */
function iconOf(merchant: Merchant | undefined, { fill, onFill }: Accents['light']): string {
  const initials = merchant ? initialsOf(merchant.name) : '$';
  const square = html`<rect width="32" height="32" rx="8" fill="${fill}"/>`;
  const letters = html`<text x="16" y="21" fill="${onFill}" font-family="sans-serif" font-size="14" font-weight="700" text-anchor="middle">${initials}</text>`;
  const drawing = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${square}${letters}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing.toString())}`;
}
