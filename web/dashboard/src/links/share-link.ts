import { html, type Html } from '@cobro/html/html.ts';
import type { Language } from '@cobro/html/language.ts';
import { qrCode } from '../parts/qr.ts';
import { amount, button, centavosIn, copyable, signedPesos, written } from '../parts/small-parts.ts';
import { timeElement } from '../parts/time.ts';
import type { Content, Frame } from '../shell/frame.ts';
import { linkWords } from './link-words.ts';

/** A one-time payment or a payment link, as it is given to those who pay. */
interface Shared {
  /** Its own page here. */
  href: string;
  description: string;
  /** In pesos. */
  amount: number;
  checkoutUrl: string;
}

export function sharePanel(
  language: Language,
  { href, description, amount: pesos, checkoutUrl }: Shared,
  qr: string,
): Html {
  const words = linkWords[language].detail;
  const message = words.message(description, signedPesos(centavosIn(pesos)), checkoutUrl);
  const whatsApp = `https://wa.me/?${new URLSearchParams({ text: message }).toString().replaceAll('+', '%20')}`;
  const away = html` target="_blank" rel="noopener noreferrer"`;
  return html`<section class="panel share">
    <div>
      <h2>${words.share}</h2>
      <p class="quiet">${words.address}</p>
      <p class="address">${copyable(language, checkoutUrl)}</p>
      <p class="actions">
        <a class="button" href="${whatsApp}"${away}>${words.whatsApp}</a>
        ${button(`${href}/poster`, words.poster, 'second')}
        <a class="button second" href="${checkoutUrl}"${away}>${words.open}</a>
      </p>
    </div>
    ${qrCode(qr, words.qr)}
  </section>`;
}

export interface PosterView {
  link: Shared & { expiresAt: string | null };
  /** Our own SVG element, with the address of its page. */
  qr: string;
  section: 'links' | 'paymentLinks';
}

/** GET /links/{id}/poster, /payment-links/{id}/poster: only the poster is printed. */
export function posterPage(frame: Frame, { link, qr, section }: PosterView): Content {
  const { language, acting } = frame;
  const { poster, detail } = linkWords[language];
  return {
    status: 200,
    title: poster.title,
    section,
    trail: { href: link.href, label: detail.title },
    main: html`<p class="no-print">
        <button type="button" class="button" data-print hidden>${poster.print}</button>
        <span class="hint" data-without-script>${poster.how}</span>
      </p>
      <div class="poster">
        <p class="poster-name">${written(acting?.scopeName ?? '')}</p>
        <p class="poster-amount">${amount(centavosIn(link.amount))} <span class="quiet">MXN</span></p>
        <p>${written(link.description)}</p>
        ${qrCode(qr, detail.qr)}
        <p class="poster-pay">${poster.pay}</p>
        <p class="address small">${link.checkoutUrl}</p>
        ${link.expiresAt !== null && html`<p class="small quiet">${detail.expires} ${timeElement(language, link.expiresAt)}</p>`}
      </div>`,
  };
}
