import { type Html, html, unescaped } from '@cobro/html/html.ts';

export interface Page {
  file: string;
  title: string;
  content: Html;
  /** What the search finds on it: names, each with its place on the page. */
  entries: { title: string; words: string; anchor: string }[];
}

/** A part of the menu. */
export interface Menu {
  title: string;
  pages: readonly { file: string; title: string }[];
}

/** A whole page. Everything that it loads is served beside it, because the gateway allows no script or style inside a page. */
export const wholePage = ({ file, title, content }: Page, menus: readonly Menu[]): string =>
  `<!doctype html>\n${html`<html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>${title} – Cobro</title>
      <link rel="icon" href="icon.svg">
      <link rel="stylesheet" href="reference.css">
      <script type="module" src="search.js"></script>
    </head>
    <body>
      <a class="skip" href="#content">Skip to the content</a>
      <header>
        <a class="home" href="index.html">Cobro <span>API reference</span></a>
        <search>
          <label for="search">Search</label>
          <input id="search" type="search" placeholder="capture, externalId, HOLD_WINDOW_CLOSED" autocomplete="off" aria-controls="found">
          <ol id="found" hidden></ol>
        </search>
      </header>
      <div class="columns">
        <nav aria-label="Pages">
          ${menus.map((menu) => menuOf(menu, file))}
        </nav>
        <main id="content">${content}</main>
      </div>
    </body>
  </html>`.toString()}\n`;

const menuOf = ({ title, pages }: Menu, current: string): Html => html`<details ${open(pages, current)}>
  <summary>${title}</summary>
  <ul>${pages.map(
    (page) =>
      html`<li><a href="${page.file}"${page.file === current ? unescaped(' aria-current="page"') : ''}>${page.title}</a></li>`,
  )}</ul>
</details>`;

/** Only the part of the current page is open, because a phone shows the menu above the page. */
const open = (pages: Menu['pages'], current: string) =>
  unescaped(pages.some(({ file }) => file === current) ? 'open' : '');
