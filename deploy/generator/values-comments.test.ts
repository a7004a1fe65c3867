import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { isMap, parseDocument, type Node, type Pair } from 'yaml';

type Commented = Node & { commentBefore?: string };

/** Values without a comment. The parser gives one above a block's first key to the block; a block without one is one value. */
function unexplained({ key, value }: Pair, above: string, inherited: string): string[] {
  const { value: name, commentBefore = inherited } = key as Commented & { value: string };
  const first = (value as Commented).commentBefore ?? '';
  if (isMap(value) && first !== '') {
    return value.items.flatMap((below, i) => unexplained(below, `${above}${name}.`, i === 0 ? first : ''));
  }
  return commentBefore === '' ? [`${above}${name}`] : [];
}

test('values.yaml says what each value means', () => {
  const file = path.join(import.meta.dirname, '../helm/cobro/values.yaml');
  const { contents } = parseDocument(readFileSync(file, 'utf8'));
  if (!isMap(contents)) throw new Error('values.yaml is no map');
  expect(contents.items.length).toBeGreaterThan(20);
  expect(contents.items.flatMap((pair) => unexplained(pair, '', ''))).toEqual([]);
});
