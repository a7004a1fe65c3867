import { expect, test } from '@jest/globals';
import { initialsOf, plain } from './merchant-name.ts';

test.each([
  ['Café Tacuba', 'CT'],
  ['nube', 'N'],
  ['La Casa de Toño', 'LC'],
  ['El Palacio de Hierro', 'PH'],
  ['  7-Eleven  ', '7E'],
  ['Ñandú', 'Ñ'],
  ['Los', 'L'],
  ['e\u0301clair', 'E\u0301'],
  ['東京 ラーメン', '東ラ'],
  ['🌮 Tacos', 'T'],
  ['🌮', '·'],
  ['', '·'],
  ['"><script>', 'S'],
])('the initials of "%s" are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test('a name turns no reading direction and holds no half characters', () => {
  expect(plain(' \u202Eoff\u202C \u2066a\u2069 ')).toBe('off a');
  expect(plain('a\uD800')).toBe('a\uFFFD');
});
