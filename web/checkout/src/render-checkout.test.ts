import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { checkoutViews } from '../samples/checkout-views.ts';
import { readCheckoutAssets } from './assets.ts';
import type { CheckoutView, FormView } from './checkout-view.ts';
import { languages } from '@cobro/html/language.ts';
import { renderCheckout } from './render-checkout.ts';

const assets = readCheckoutAssets();
const render = (view: CheckoutView) => renderCheckout(view, assets);
const viewOf = (state: string, language: 'es' | 'en' = 'es') => checkoutViews(language)[state] as CheckoutView;
const form = (over: Partial<FormView>) => render({ ...(viewOf('form') as FormView), ...over });
const everyPage = languages.flatMap((language) =>
  Object.entries(checkoutViews(language)).map(([state, view]) => [state, language, view] as const),
);
const allOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
/** The text that a person reads. */
const textOf = (html: string) =>
  html
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe.each(everyPage)('the page %s in %s', (_state, language, view) => {
  const { html, headers } = render(view);

  test('is whole, and says its language', () => {
    expect(html).toMatch(new RegExp(`^<!doctype html>\n<html lang="${language}"`));
    expect(html.trimEnd()).toMatch(/<\/html>$/);
    expect(headers['Content-Language']).toBe(language);
    expect(textOf(html)).not.toMatch(/undefined|null|NaN|\[object|\$\{|=>/);
    expect(allOf(html, /<h1>/g)).toHaveLength(1);
  });

  test('is under 20 KB, and with its script under 30 KB', () => {
    const script = [...assets.files.values()].map(({ body }) => body).join('');
    expect(Buffer.byteLength(html)).toBeLessThan(20_000);
    expect(Buffer.byteLength(html) + Buffer.byteLength(script)).toBeLessThan(30_000);
  });

  test('has one inline style, allowed by its hash, and no other code', () => {
    const [style = '', ...others] = allOf(html, /<style>(.*?)<\/style>/gs);
    expect(others).toEqual([]);
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['Content-Security-Policy']).toContain(`style-src 'sha256-${hash}';`);
    const [script] = [...assets.files.values()].map(({ body }) => createHash('sha256').update(body).digest('base64'));
    expect(allOf(html, /<script([^>]*)>/g)).toEqual([
      ` src="${assets.scriptAddress}" integrity="sha256-${script}" defer`,
    ]);
    expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(?:on\w+|style)=/);
  });

  test('loads nothing from elsewhere, and leads nowhere but to itself and the merchant', () => {
    const loaded = allOf(html, /<(?:script|link|img|iframe)[^>]* (?:src|href)="([^"]*)"/g);
    expect(loaded.filter((address) => !/^(?:data:image\/svg\+xml,|\/checkout\/assets\/)/.test(address))).toEqual([]);
    const links = allOf(html, /<(?:a|form)[^>]* (?:href|action)="([^"]*)"/g);
    expect(
      links.filter((address) => !/^(?:#\w+$|\/checkout\/|https:\/\/cafe-tacuba\.example\/)/.test(address)),
    ).toEqual([]);
  });

  test('names every id once, and only ids that are there', () => {
    const ids = allOf(html, /\sid="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    const named = allOf(html, /\s(?:for|aria-describedby)="([^"]+)"/g).flatMap((list) => list.split(' '));
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test('shows no number and no code of a card', () => {
    expect(html).not.toMatch(/<input[^>]*\sname="(?:number|cvc)"[^>]*\svalue=/);
  });
});

test('every answer forbids frames, other sources, copies and a referrer to others', () => {
  const { headers } = render(viewOf('form'));
  expect(headers).toMatchObject({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  });
  const policy = (headers['Content-Security-Policy'] ?? '').split('; ');
  expect(policy.filter((directive) => !directive.startsWith('style-src'))).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    'img-src data:',
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
  expect(headers['Permissions-Policy']).toContain('payment=()');
});

test.each([
  ['form', 200, undefined],
  ['errors', 400, undefined],
  ['declined', 200, undefined],
  ['too-many-attempts', 429, '400'],
  ['bank-unavailable', 503, '1'],
  ['terms-not-available', 409, undefined],
  ['card-not-accepted', 409, undefined],
  ['in-progress', 409, '1'],
  ['stale-page', 400, undefined],
  ['confirming', 200, undefined],
  ['paid', 200, undefined],
  ['already-paid', 200, undefined],
  ['cancelled', 200, undefined],
  ['expired', 200, undefined],
  ['foreign-origin', 403, undefined],
  ['not-found', 404, undefined],
  ['unavailable', 503, '1'],
])('%s answers %i', (state, status, retryAfter) => {
  const page = render(viewOf(state));
  expect([page.status, page.headers['Retry-After']]).toEqual([status, retryAfter]);
});

test('the script is served under a name that changes with it, to be kept for ever', () => {
  const name = assets.scriptAddress.replace('/checkout/assets/', '');
  expect(name).toMatch(/^checkout\.[\da-f]{12}\.js$/);
  expect(assets.files.get(name)?.headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
  expect(Buffer.byteLength(assets.files.get(name)?.body ?? '')).toBeLessThan(8_000);
});

describe('what somebody else wrote', () => {
  const { html } = render(viewOf('form-hostile'));

  test('stays text', () => {
    expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).not.toMatch(/<script>|<img|display:none\}<|alert\(3\)/);
  });

  test('turns no reading direction', () => {
    expect(html).not.toMatch(/[\u202A-\u202E]/);
  });

  test('is no colour and no link', () => {
    expect(html).toContain(':root{--fill:#2f4ad0;');
    expect(html).not.toContain('javascript:');
  });
});

describe('the form', () => {
  test('says what is paid, to whom and until when', () => {
    const text = textOf(render(viewOf('form')).html);
    expect(text).toContain('Pagas a Café Tacuba $1,250.50 MXN');
    expect(text).toContain('Cena para dos, sábado 21 de noviembre');
    expect(text).toMatch(/Puedes pagar hasta el 21 de noviembre de 2026.*8:30.*hora de la Ciudad de México/);
    expect(render(viewOf('form')).html).toContain('<title>Pagar $1,250.50 MXN a Café Tacuba</title>');
  });

  test('shows what each way to pay costs a month, and how the last payment differs', () => {
    const text = textOf(form({ allowedTerms: [1, 3, 6] }).html);
    expect(text).toMatch(/Un solo pago \$1,250\.50 3 pagos mensuales el último, de \$416\.84 \$416\.83 al mes/);
    expect(text).toContain('solo con tarjeta de crédito');
    const even = form({ allowedTerms: [1, 3], payment: { ...(viewOf('form') as FormView).payment, amount: 30_000n } });
    expect(textOf(even.html)).toMatch(/3 pagos mensuales \$100\.00 al mes/);
  });

  test('asks nothing about terms where one payment is all that there is, and only that where it is installments', () => {
    expect(form({ allowedTerms: [1] }).html).not.toContain('name="terms"');
    expect(allOf(form({ allowedTerms: [6] }).html, /name="terms" value="(\d+)"/g)).toEqual(['6']);
  });

  test('keeps what was chosen and written', () => {
    const { html } = form({ values: { terms: '6', holderName: 'Ana "la güera"', zip: '06000' } });
    expect(html).toMatch(/value="6" checked/);
    expect(html).toContain('value="Ana &quot;la güera&quot;"');
    expect(html).toContain('<details open>');
  });

  test('says that the connection is encrypted only where it is', () => {
    expect(form({ encrypted: true }).html).toContain('Conexión cifrada');
    expect(form({ encrypted: false }).html).not.toContain('Conexión cifrada');
  });

  test('carries the token and the language, and says how fields are filled by the browser', () => {
    const { html } = form({});
    expect(html).toContain('<input type="hidden" name="token" value="eyJ0b2tlbiI6InRlc3QifQ.c2lnbmF0dXJl" />');
    expect(html).toContain('<input type="hidden" name="lang" value="es" />');
    expect(allOf(html, /autocomplete="([^"]+)"/g)).toEqual([
      'cc-number',
      'cc-exp',
      'cc-csc',
      'cc-name',
      'email',
      'given-name',
      'family-name',
      'tel',
      'billing address-line1',
      'billing address-level2',
      'billing address-level1',
      'billing postal-code',
    ]);
  });

  test.each([
    [59, 'un minuto'],
    [60, 'un minuto'],
    [61, '2 minutos'],
    [0, 'un minuto'],
  ])('after too many attempts with %i seconds to go says %s', (retryAfterSeconds, text) => {
    const { html } = form({ problem: { kind: 'too-many-attempts', retryAfterSeconds } });
    expect(textOf(html)).toContain(`Vuelve a intentarlo en ${text}.`);
  });
});

describe('the last page', () => {
  test('is a receipt', () => {
    const text = textOf(render(viewOf('paid', 'en')).html);
    expect(text).toContain('Payment complete $1,250.50 MXN to Café Tacuba');
    expect(text).toContain('Visa ending in 4242');
    expect(text).toContain('3 monthly payments of $416.83 (the last one $416.84)');
    expect(text).toContain('Operation code 100482');
    expect(text).toMatch(/November 21, 2026 at 12:04.PM \(Mexico City time\)/);
  });

  test.each([
    ['https://shop.example/thanks', 'https://shop.example/thanks'],
    [null, 'https://cafe-tacuba.example/'],
    ['javascript:alert(1)', 'https://cafe-tacuba.example/'],
  ])('with redirectUrl %p leads to %s', (redirectUrl, address) => {
    const { html } = render({ ...viewOf('paid'), redirectUrl } as CheckoutView);
    expect(html).toContain(`<a class="action" href="${address}" rel="noopener noreferrer">Volver a <bdi`);
    expect(html).not.toContain('http-equiv');
  });

  test('that says what is closed names the merchant and leads to its site, where it has one', () => {
    for (const state of ['already-paid', 'cancelled', 'expired']) {
      const view = viewOf(state);
      expect(render(view).html).toContain('href="https://cafe-tacuba.example/"');
      expect(render({ ...view, homepageUrl: null } as CheckoutView).html).not.toContain('class="action"');
    }
  });
});

test('the waiting page asks again by itself without the script, for the same attempt in the same language', () => {
  const { html } = render(viewOf('confirming'));
  const { id } = viewOf('confirming');
  expect(html).toContain(
    `<noscript><meta http-equiv="refresh" content="5;url=/checkout/${id}?attempt=att-1&amp;lang=es" /></noscript>`,
  );
});

test('docs/checkout.md has a picture of every page, and says when the form is shown again', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/checkout.md'), 'utf8');
  const missing = Object.entries(checkoutViews('es')).flatMap(([name, view]) => {
    const picture = `![${name}](checkout/${name}.webp)`;
    const needed = view.state === 'form' && view.problem !== null ? [picture, `\n- \`${name}\`: `] : [picture];
    return needed.filter((text) => !page.includes(text));
  });
  expect(missing).toEqual([]);
});
