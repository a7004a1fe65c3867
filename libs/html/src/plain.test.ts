import { expect, test } from '@jest/globals';
import { plain } from './plain.ts';

test('a name turns no reading direction and holds no half characters', () => {
  expect(plain(' \u202Eoff\u202C \u2066a\u2069 ')).toBe('off a');
  expect(plain('a\uD800')).toBe('a\uFFFD');
});
