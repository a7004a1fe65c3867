import { html, type Html } from './html.ts';

const icon = (shape: Html) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${shape}</svg>`;

/** Drawn in lines of the text's colour and size. */
export const icons = {
  lock: icon(html`<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>`),
  check: icon(html`<path d="m5 13 4.5 4.5L19 7.5"/>`),
  clock: icon(html`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>`),
  cross: icon(html`<path d="m7 7 10 10M17 7 7 17"/>`),
  question: icon(html`<path d="M9 9.2a3 3 0 1 1 4.4 2.6c-.9.5-1.4 1.2-1.4 2.2M12 17.5v.01"/>`),
  warning: icon(html`<path d="M12 4 2.8 20h18.4L12 4ZM12 10v4.5M12 17.2v.01"/>`),
};

interface Mark {
  network: string;
  background: string;
  drawing: Html;
}

const mark = ({ network, background, drawing }: Mark) => html`
  <svg class="mark" data-network="${network}" viewBox="0 0 36 24">
    <rect x=".5" y=".5" width="35" height="23" rx="4" fill="${background}" stroke="#c9ced8"/>${drawing}
  </svg>`;

const word = (text: string, color: string, size: number) =>
  html`<text x="18" y="16" fill="${color}" font-size="${size}" textLength="27" lengthAdjust="spacingAndGlyphs">${text}</text>`;

const marks: Mark[] = [
  { network: 'Visa', background: '#fff', drawing: word('VISA', '#1a2a8f', 11) },
  {
    network: 'Mastercard',
    background: '#fff',
    drawing: html`<circle cx="14.5" cy="12" r="6.5" fill="#e02430"/><circle cx="21.5" cy="12" r="6.5" fill="#f6a02d"/>
      <path d="M18 6.5a6.5 6.5 0 0 1 0 11 6.5 6.5 0 0 1 0-11Z" fill="#f26522"/>`,
  },
  { network: 'American Express', background: '#1170cf', drawing: word('AMEX', '#fff', 10) },
  { network: 'Carnet', background: '#fff', drawing: word('CARNET', '#a5182f', 8) },
];

/** The card networks, drawn small. The script fades those that a number does not belong to. */
export const networkMarks = html`<span class="marks" aria-hidden="true">${marks.map(mark)}</span>`;
