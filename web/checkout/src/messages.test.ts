import { expect, test } from '@jest/globals';
import { Html, html } from '@cobro/html/html.ts';
import { en } from './messages-en.ts';
import { es } from './messages-es.ts';

/** Every text with its path; functions are called with sample arguments. */
function textsOf(node: unknown, path = ''): [string, string][] {
  if (typeof node === 'function') return textsOf((node as (...some: unknown[]) => unknown)(html`7`, '7'), path);
  if (typeof node === 'object' && node !== null && !(node instanceof Html)) {
    return Object.entries(node).flatMap(([key, below]) => textsOf(below, `${path}.${key}`));
  }
  return [[path, String(node)]];
}

const english = new Map(textsOf(en));

test.each(textsOf(es))('%s is said in both languages', (path, spanish) => {
  expect(spanish).not.toMatch(/undefined|\[object/);
  expect(spanish.trim()).not.toBe('');
  expect(english.get(path)).not.toBe(spanish);
});
