import { html, type Html, unescaped } from '@cobro/html/html.ts';

/** `svg` is our own element: dark on white, also on a dark page, because cameras need it. */
export const qrCode = (svg: string, label: string): Html =>
  html`<div class="qr" role="img" aria-label="${label}">${unescaped(svg)}</div>`;
