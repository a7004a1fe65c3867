import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { alerts } from './alert-rules.ts';
import { otherwise } from './environment-page.ts';
import { fieldsOf } from './events-page.ts';
import { problemsOfPages, writePages } from './pages.ts';

describe('the generated pages', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'cobro-docs-'));
  const check = () => problemsOfPages(folder);

  beforeAll(() => {
    writePages(folder);
    // The handwritten pages to which generated ones link.
    writeFileSync(path.join(folder, 'docs/events.md'), '## Names, and `types`');
    for (const handwritten of ['deploy.md', 'metrics.md']) {
      writeFileSync(path.join(folder, 'docs', handwritten), '## Keys');
    }
    mkdirSync(path.join(folder, 'docs/runbooks'));
    for (const { annotations } of alerts()) writeFileSync(path.join(folder, annotations.runbook_url), 'nothing');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('pass the check as they were written', async () => {
    expect(await check()).toEqual([]);
  });

  test('fail it when one is changed by hand, when one is missing and when one is too many', async () => {
    const generated = path.join(folder, 'docs/generated');
    appendFileSync(path.join(generated, 'errors.md'), 'by hand');
    rmSync(path.join(generated, 'events.md'));
    writeFileSync(path.join(generated, 'more.md'), 'by hand');
    expect(await check()).toEqual([
      'docs/generated/errors.md is not what the code says now: npm run docs writes it anew.',
      'docs/generated/events.md is not what the code says now: npm run docs writes it anew.',
      'docs/generated/more.md is not a page that npm run docs writes.',
    ]);
    writePages(folder);
    expect(await check()).toEqual([]);
  });

  test('fail it when a file of contracts is not in the list', async () => {
    const routes = path.join(folder, 'libs/contracts/src/routes');
    mkdirSync(routes, { recursive: true });
    writeFileSync(path.join(routes, 'shared.ts'), 'export const shared = { refusals: [] };');
    expect(await check()).toEqual([]);
    writeFileSync(path.join(routes, 'toys.ts'), "export const showToy = { method: 'GET', path: '/toy' };");
    expect(await check()).toEqual([
      'libs/contracts/src/routes/toys.ts exports the contract showToy, but libs/contracts/src/routes.ts does not list the file.',
    ]);
    rmSync(routes, { recursive: true });
  });

  test('fail it when a page links to what is not there', () => {
    writeFileSync(
      path.join(folder, 'README.md'),
      '[there](docs/events.md#names-and-types), [gone](docs/gone.md), [no heading](docs/events.md#names), [far](https://example.com)',
    );
    const program = [path.join(import.meta.dirname, 'write.ts'), '--check', folder];
    const { status, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' });
    const nowhere = ['docs/gone.md', 'docs/events.md#names'].map(
      (to) => `README.md: the link to ${to} leads nowhere.\n`,
    );
    expect([status, stderr]).toEqual([1, nowhere.join('')]);
  });
});

test('fields of an event are listed with what they may be, objects before their own fields', () => {
  const fields = fieldsOf({
    properties: {
      id: { type: 'string', format: 'uuid' },
      note: { type: ['string', 'null'] },
      card: {
        anyOf: [
          { type: 'object', properties: { network: { enum: ['VISA', 'AMEX'] } }, required: ['network'] },
          { type: 'null' },
        ],
      },
    },
    required: ['id', 'card'],
  });
  expect(fields).toEqual([
    ['`id`', 'uuid'],
    ['`note`', 'string or null, may be absent'],
    ['`card`', 'object or null'],
    ['`card.network`', '`"VISA"` or `"AMEX"`'],
  ]);
});

test('a variable is refused where it is needed, else shown with its default', () => {
  const variable = (answer: { success: boolean; data?: unknown }) => ({
    safeParse: () => answer,
    toJSONSchema: () => ({}),
  });
  expect(otherwise(variable({ success: false }))).toBe('refused');
  expect(otherwise(variable({ success: true, data: undefined }))).toBe('left out');
  expect(otherwise(variable({ success: true, data: '' }))).toBe('empty');
  expect(otherwise(variable({ success: true, data: 8_000 }))).toBe('`8000`');
});
