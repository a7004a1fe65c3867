import { expect, test } from '@jest/globals';
import { inChunks, merge, pair, walk } from './key-order.ts';

const id = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const self = (key: string) => key;
const pages = (numbers: number[], size = 2) =>
  walk(
    async (after) =>
      numbers
        .map(id)
        .filter((key) => after === undefined || key > after)
        .slice(0, size),
    self,
  );
const all = async <T>(items: AsyncIterable<T>) => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

test('walks that are merged come in the order of their keys, each item once', async () => {
  const walks = [pages([2, 3, 9, 11, 12]), pages([]), pages([1, 4, 10])];
  expect(await all(merge(walks, self))).toEqual([1, 2, 3, 4, 9, 10, 11, 12].map(id));
});

test.each([
  [[], []],
  [[1, 2, 3], []],
  [[], [1, 2, 3]],
  [
    [1, 2, 5],
    [2, 3, 4, 5, 6],
  ],
])('%j and %j are paired by their keys, and what only one has stands alone', async (left, right) => {
  const found = await all(pair({ walk: pages(left), keyOf: self }, { walk: pages(right), keyOf: self }));
  const keys = [...new Set([...left, ...right])].toSorted((a, b) => a - b);
  expect(found).toEqual(
    keys.map((n) => ({ a: left.includes(n) ? id(n) : undefined, b: right.includes(n) ? id(n) : undefined })),
  );
});

test('a walk begins before every key, whatever the keys are', async () => {
  const keys = ['!1', '-2', 'txn_3'];
  const walked = walk(async (after) => keys.filter((key) => after === undefined || key > after), self);
  expect(await all(walked)).toEqual(keys);
});

test('a page that is not in the order of its keys stops the walk', async () => {
  const disordered = walk(async () => [id(2), id(1)], self);
  await expect(all(disordered)).rejects.toThrow('not in the order');
});

test('chunks have a size, and the last one has the rest', async () => {
  expect(await all(inChunks(pages([1, 2, 3, 4, 5]), 2))).toEqual([[1, 2].map(id), [3, 4].map(id), [id(5)]]);
});
