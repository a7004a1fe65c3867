import { readFileSync } from 'node:fs';
import specs from '@asyncapi/specs';
import { eventTypes } from '@cobro/contracts/events.ts';
import { outwardTypes } from '@cobro/contracts/outward-events.ts';
import { Ajv, type AnySchema } from 'ajv';
import { expect, test } from '@jest/globals';

const folder = new URL('../../docs/generated/', import.meta.url);
const document = JSON.parse(readFileSync(new URL('asyncapi.json', folder), 'utf8')) as {
  channels: Record<string, { messages: object }>;
  components: { messages: object; schemas: object };
};

test('the document is AsyncAPI 3.0', () => {
  // The schema brings its own meta-schema, under the address of Ajv's.
  const lenient = { meta: false, validateSchema: false, strict: false, validateFormats: false } as const;
  const validate = new Ajv(lenient).compile(specs.schemas['3.0.0'] as AnySchema);
  expect([validate(document), validate.errors]).toEqual([true, null]);
  expect(validate({ ...document, channels: { webhook: { address: 1 } } })).toBe(false);
});

test('it has every event, those that merchants are sent and those between services', () => {
  expect(Object.keys(document.channels['webhook']?.messages ?? {})).toEqual(outwardTypes);
  expect(Object.keys(document.channels).slice(1)).toEqual(eventTypes);
});

test('every reference in it leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, to = '']) => to);
  const lost = references.filter((to) => {
    const steps = to.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
    return (
      steps.reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document) === undefined
    );
  });
  expect(lost).toEqual([]);
});
