import { expect, test } from '@jest/globals';
import { safeLink } from './safe-link.ts';

test.each([
  ['https://shop.example/thanks?order=1#top', 'https://shop.example/thanks?order=1#top'],
  ['http://localhost:3000', 'http://localhost:3000/'],
  ['HTTPS://shop.example', 'https://shop.example/'],
  ['https://shop.example/"><script>', 'https://shop.example/%22%3E%3Cscript%3E'],
  ['javascript:alert(1)', null],
  [' java\nscript:alert(1)', null],
  ['data:text/html,<script>', null],
  ['//evil.example', null],
  ['shop.example', null],
  ['', null],
  [null, null],
])('%p leads to %p', (address, href) => {
  expect(safeLink(address)).toBe(href);
});
