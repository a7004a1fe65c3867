import { expect, test } from '@jest/globals';
import { initialsOf } from './merchant-name.ts';

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
