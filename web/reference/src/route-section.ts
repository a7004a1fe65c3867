import { type Html, html, unescaped } from '@cobro/html/html.ts';
import type { Content, Route } from './document.ts';
import { type Field, fieldsOf, typeOf } from './fields.ts';
import { curlOf, typeScriptOf } from './samples.ts';

/** Everything about a route: its request and answers, beside samples of calls. */
export function routeSection(route: Route, messages: Readonly<Record<string, string>>): Html {
  const { operationId, method, path, summary, parameters = [], requestBody, responses, schemas } = route;
  const body = requestBody?.content?.['application/json']?.schema;
  const inPlace = (place: string): Field[] =>
    parameters
      .filter((one) => one.in === place)
      .map(({ name, required = false, schema }) => {
        return { name, required, type: typeOf(schema, schemas).type, description: schema.description };
      });
  return html`<section id="${operationId}" aria-labelledby="${operationId}-title">
    <h2 id="${operationId}-title">${summary}</h2>
    <p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code> ${keyOf(route)}</p>
    <div class="beside">
      <div>
        ${fieldList('In the query', inPlace('query'))}
        ${body && fieldList('In the body', fieldsOf(body, schemas))}
        ${answersOf(responses).map(([status, answer]) => answerOf(status, answer, route))}
        ${refusalsOf(responses, messages)}
      </div>
      <div class="samples">
        ${code('curl', curlOf(route))}
        ${code('TypeScript', typeScriptOf(route))}
        ${answersOf(responses).map(([status, answer]) => exampleOf(status, answer))}
      </div>
    </div>
  </section>`;
}

const keyOf = ({ security }: Route): Html => {
  const [scheme] = Object.keys(security[0] ?? {});
  return html`<span class="key">${scheme === undefined ? 'no key' : scheme === 'terminalKey' ? 'x-terminal-key' : 'x-api-key'}</span>`;
};

const fieldList = (title: string, fields: readonly Field[]): Html | undefined =>
  fields.length === 0 ? undefined : html`<h3>${title}</h3><dl class="fields">${fields.map(fieldItem)}</dl>`;

const fieldItem = ({ name, type, required, description }: Field): Html =>
  html`<div><dt><code>${name}</code>${required ? html` <span class="needed">required</span>` : ''}</dt><dd>${type}${description && html`<br>${description}`}</dd></div>`;

const answersOf = (responses: Route['responses']) =>
  Object.entries(responses).filter(([status]) => Number(status) < 400);

function answerOf(status: string, { description, content }: Content, { schemas, operationId }: Route): Html {
  const schema = content?.['application/json']?.schema;
  const fields = schema === undefined ? [] : fieldsOf(schema, schemas).map((field) => ({ ...field, required: false }));
  // The pages of events list what an event has in it.
  const listed = /Events?$/.test(operationId) ? fields.filter(({ name }) => !name.includes('data.')) : fields;
  return html`<h3><span class="status">${status}</span> ${description}</h3>
    ${listed.length > 0 && html`<details><summary>Its fields</summary><dl class="fields">${listed.map(fieldItem)}</dl></details>`}`;
}

function refusalsOf(responses: Route['responses'], messages: Readonly<Record<string, string>>): Html {
  const codes = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { content }]) => {
      const values = content?.['application/json']?.schema.properties?.['code']?.enum ?? [];
      return values.map((value) => [status, String(value)] as const);
    });
  return html`<details><summary>Refusals</summary><dl class="fields">${codes.map(
    ([status, name]) =>
      html`<div><dt><a href="errors.html#${name}"><code>${name}</code></a></dt><dd>${status}. ${messages[name]}</dd></div>`,
  )}</dl></details>`;
}

function exampleOf(status: string, { content }: Content): Html | undefined {
  const example = content?.['application/json']?.example;
  return example === undefined ? undefined : code(`Answer ${status}`, JSON.stringify(example, null, 2));
}

/** `tabindex`, because keys must be able to scroll it too. */
export const code = (title: string, text: string): Html =>
  html`<figure><figcaption>${title}</figcaption><pre tabindex="0"><code>${unescaped(escapedLines(text))}</code></pre></figure>`;

/** Escapes the text itself, because the template would remove the indentation. */
const escapedLines = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
