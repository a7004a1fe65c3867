import { type Html, html } from '@cobro/html/html.ts';
import { refusals } from '@cobro/contracts/refusals.ts';
import { type Area, areasOf } from './areas.ts';
import { type AsyncApi, type OpenApi, routesOf } from './document.ts';
import { fieldsOf } from './fields.ts';
import { guideContent, guideFile } from './guide.ts';
import { type Menu, type Page, wholePage } from './layout.ts';
import { routeSection } from './route-section.ts';

/** The sources of the pages: documents as texts, and guides by file name, in reading order. */
export interface Sources {
  main: string;
  partner: string;
  events: string;
  guides: Readonly<Record<string, string>>;
}

const messages = Object.fromEntries(Object.entries(refusals).map(([code, [, message]]) => [code, message]));

/** Every file of the reference, by its name. */
export function renderReference({ main, partner, events, guides }: Sources): Record<string, string> {
  const routes = [main, partner].flatMap((text) => routesOf(JSON.parse(text) as OpenApi));
  const areas = areasOf(routes).map((area) => areaPage(area));
  const schemas = (JSON.parse(main) as OpenApi).components.schemas ?? {};
  const eventTypes = eventTypesPage(JSON.parse(events) as AsyncApi, schemas);
  const guidePages = Object.entries(guides).map(([file, text]) => guidePage(file, text));
  const menus: Menu[] = [
    { title: 'Guides', pages: guidePages },
    { title: 'Routes', pages: areas },
    { title: 'Lists', pages: [eventTypes, errorsPage] },
  ];
  const pages = [startPage(menus), ...guidePages, ...areas, eventTypes, errorsPage];
  const index = pages.flatMap(({ file, title, entries }) =>
    entries.map((entry) => ({
      title: entry.title,
      page: title,
      to: `${file}${entry.anchor && `#${entry.anchor}`}`,
      words: entry.words,
    })),
  );
  return {
    ...Object.fromEntries(pages.map((page) => [page.file, wholePage(page, menus)])),
    'search.json': `${JSON.stringify(index)}\n`,
  };
}

function areaPage({ file, title, about, routes }: Area): Page {
  return {
    file,
    title,
    content: html`<h1>${title}</h1><p class="lead">${about}</p>
      <ul class="toc">${routes.map(({ operationId, summary }) => html`<li><a href="#${operationId}">${summary}</a></li>`)}</ul>
      ${routes.map((route) => routeSection(route, messages))}`,
    entries: routes.map(({ operationId, summary, method, path, parameters = [], requestBody, schemas }) => {
      const body = requestBody?.content?.['application/json']?.schema;
      const names = [
        ...parameters.map(({ name }) => name),
        ...(body ? fieldsOf(body, schemas).map(({ name }) => name) : []),
      ];
      return { title: summary, anchor: operationId, words: [method, path, operationId, ...names].join(' ') };
    }),
  };
}

function eventTypesPage(
  { channels, components }: AsyncApi,
  schemas: NonNullable<OpenApi['components']['schemas']>,
): Page {
  const types = Object.keys(channels.webhook.messages).flatMap((type) => components.messages[type] ?? []);
  const fields = ({ payload }: (typeof types)[number]): Html =>
    html`<details><summary>Its data</summary><dl class="fields">${fieldsOf(
      payload.properties?.['data'] ?? {},
      schemas,
    ).map(({ name, type }) => html`<div><dt><code>${name}</code></dt><dd>${type}</dd></div>`)}</dl></details>`;
  return {
    file: 'event-types.html',
    title: 'Types of events',
    content: html`<h1>Types of events</h1>
      <p class="lead">Each event has an <code>id</code>, its <code>type</code>, <code>createdAt</code>, the <code>object</code> that it is about, and as
      <code>data</code> that object as it was then.</p>
      ${types.map((type) => html`<section id="${type.name}"><h2><code>${type.name}</code></h2><p>${type.summary}</p>${fields(type)}</section>`)}`,
    entries: types.map(({ name, summary }) => ({ title: name, anchor: name, words: summary })),
  };
}

const errorsPage: Page = {
  file: 'errors.html',
  title: 'Errors',
  content: html`<h1>Errors</h1>
    <p class="lead">A refusal has a <code>code</code> that never changes and a <code>message</code> for people. Where trying again may help, there is a
    <code>Retry-After</code>.</p>
    <dl class="fields">${Object.entries(refusals).map(
      ([code, [status, message]]) =>
        html`<div id="${code}"><dt><code>${code}</code></dt><dd>${status}. ${message}</dd></div>`,
    )}</dl>`,
  entries: Object.entries(refusals).map(([code, [status, message]]) => ({
    title: code,
    anchor: code,
    words: `${status} ${message}`,
  })),
};

const FIRST_GUIDE = 'first-capture.md';
const GOES_ON = `This guide goes on from [the first one](${FIRST_GUIDE}): a running stack, and a folder of yours with the client in it.`;

const guidePage = (file: string, text: string): Page => {
  const title = /^# (.*)$/m.exec(text)?.[1] ?? file;
  return {
    file: guideFile(file),
    title,
    content: guideContent(file === FIRST_GUIDE ? text : text.replace('\n', `\n\n${GOES_ON}\n`)),
    entries: [{ title, anchor: '', words: text.replaceAll(/\s+/g, ' ') }],
  };
};

const startPage = (menus: readonly Menu[]): Page => ({
  file: 'index.html',
  title: 'API reference',
  content: html`<h1>Cobro</h1>
    <p class="lead">Card payments for merchants in Mexico: charges and holds on saved cards, links that customers pay, terminals, and events about all of it.</p>
    <p>Routes stand below the address of your deployment, <code>https://…/api</code>. A merchant’s key goes into the header <code>x-api-key</code>, a terminal’s
    into <code>x-terminal-key</code>. Bodies are JSON; amounts are pesos with at most two decimals; times are ISO 8601. In the
    samples <code>COBRO_URL</code> is that address, <code>COBRO_KEY</code> the key, and <code>cobro</code> <a href="guide-first-capture.html">the client</a>.</p>
    <p>The documents that these pages are made of: <a href="../openapi.json">OpenAPI</a>, <a href="../developer/v1/openapi.json">OpenAPI of the Developer
    API</a>, <a href="../asyncapi.json">AsyncAPI</a>.</p>
    ${menus.map(
      ({ title, pages }) =>
        html`<h2>${title}</h2><ul class="cards">${pages.map((page) => html`<li><a href="${page.file}">${page.title}</a></li>`)}</ul>`,
    )}`,
  entries: [],
});
