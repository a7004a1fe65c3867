import { html, type Html } from '@cobro/html/html.ts';
import { pageHeaders } from '@cobro/html/page-headers.ts';
import { plain } from '@cobro/html/plain.ts';
import type { DashboardAssets } from '../assets.ts';
import { timeOf } from '../parts/time.ts';
import type { Acting, Content, Frame, Page } from './frame.ts';
import { navigation } from './navigation.ts';
import { shellWords } from './words.ts';

/** A page in its frame: with the navigation if somebody is signed in, else a single card. */
export function documentOf(frame: Frame, content: Content, assets: DashboardAssets): Page {
  const { language, acting } = frame;
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${plain(content.title)} · Cobro</title>
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${icon}" />
        <link rel="stylesheet" href="${assets.style}" />
        <script src="${assets.script}" defer></script>
        ${content.needsPasskeys && html`<script src="${assets.passkeys}" defer></script>`}
      </head>
      ${acting ? signedIn(frame, acting, content) : alone(frame, content)}
    </html> `;
  return {
    status: content.status,
    headers: { ...pageHeaders({ styles: "'self'", language }), ...content.headers },
    html: page.toString(),
  };
}

function signedIn(frame: Frame, acting: Acting, content: Content): Html {
  const words = shellWords[frame.language];
  const sections = () => navigation(frame, acting, content.section);
  return html`<body class="signed-in">
    <a class="skip" href="#main">${words.skip}</a>
    ${bands(frame)}
    <div class="frame">
      <header class="side">
        <a class="brand" href="/">${mark}<span>Cobro</span></a>
        <nav class="wide" aria-label="${words.navigation}">${sections()}${account(frame, acting, content)}</nav>
        <details class="menu">
          <summary>${words.menu}</summary>
          <nav aria-label="${words.navigation}">${sections()}${account(frame, acting, content)}</nav>
        </details>
      </header>
      <main id="main" tabindex="-1">
        ${content.trail && html`<p class="trail"><a href="${content.trail.href}">‹ ${plain(content.trail.label)}</a></p>`}
        <div class="heading">
          <h1>${plain(content.title)}</h1>
          ${content.action && html`<div class="main-action">${content.action}</div>`}
        </div>
        ${content.main}
        <p class="times">${words.times}</p>
      </main>
    </div>
  </body>`;
}

function alone(frame: Frame, content: Content): Html {
  return html`<body class="alone">
    ${bands(frame)}
    <header class="top"><span class="brand">${mark}<span>Cobro</span></span>${languageSwitch(frame, content)}</header>
    <main id="main" class="card">
      <h1>${plain(content.title)}</h1>
      ${content.main}
    </main>
  </body>`;
}

function bands({ language, isTest, acting, clockNow }: Frame): Html {
  const words = shellWords[language];
  const lentUntil = acting?.lentUntil;
  const mayMove = acting !== null && acting.role !== 'read-only' && acting.role !== 'viewer';
  const clock =
    acting &&
    clockNow &&
    html` ${words.clockBand(timeOf(language, clockNow))} ${mayMove && html`<a href="/clock">${words.moveClock}</a>`}`;
  return html`${isTest && html`<aside class="band" aria-label="${words.mode}">${words.testBand}${clock}</aside>`}${
    lentUntil &&
    html`<aside class="band lent" aria-label="${words.loan}">${words.lent(timeOf(language, lentUntil))}</aside>`
  }`;
}

function account(frame: Frame, acting: Acting, content: Content): Html {
  const words = shellWords[frame.language];
  return html`<div class="account">
    <p class="acting"><bdi translate="no">${plain(acting.scopeName)}</bdi></p>
    <p class="quiet"><bdi translate="no">${plain(acting.email)}</bdi> · ${words.roles[acting.role]}</p>
    <div class="account-links">
      ${languageSwitch(frame, content)}
      <form method="post" action="/sign-out">
        <input type="hidden" name="formToken" value="${frame.formToken}" />
        <button class="link">${words.signOut}</button>
      </form>
    </div>
  </div>`;
}

/** None on the result of a form: what it shows, a new key for example, cannot be loaded again. */
function languageSwitch({ language, address, answersForm }: Frame, { status }: Content): Html | false {
  if (answersForm && status === 200) return false;
  const other = shellWords[language].otherLanguage;
  const there = new URL(address, 'http://dashboard');
  there.searchParams.set('lang', other.language);
  const href = `${there.pathname}${there.search}`;
  return html`<a class="language" href="${href}" lang="${other.language}" hreflang="${other.language}">${other.name}</a>`;
}

const shape = html`<path d="M21 11.5A6 6 0 1 0 21 20.5" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/>`;
const mark = html`<svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#3247c5"/>${shape}</svg>`;
const drawing = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3247c5"/>${shape}</svg>`;
const icon = `data:image/svg+xml,${encodeURIComponent(drawing.toString())}`;
