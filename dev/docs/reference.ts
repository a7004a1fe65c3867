import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderReference } from '@cobro/reference/render-reference.ts';

const root = path.join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** The files of the API reference, by their names. */
export function referenceFiles(documents: Readonly<Record<string, string>>): Record<string, string> {
  const order = [...read('docs/guides/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file = '']) => file);
  return {
    ...renderReference({
      main: documents['openapi-main.json'] ?? '',
      partner: documents['openapi-partner.json'] ?? '',
      events: documents['events'] ?? '',
      guides: Object.fromEntries(order.map((file) => [file, read(`docs/guides/${file}`)])),
    }),
    ...Object.fromEntries(['reference.css', 'search.js'].map((file) => [file, read(`web/reference/assets/${file}`)])),
  };
}
