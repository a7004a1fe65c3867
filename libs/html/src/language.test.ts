import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { chooseLanguage, languages } from './language.ts';

test.each([
  ['es-MX,es;q=0.9,en;q=0.8', 'es'],
  ['en-US,en;q=0.9,es;q=0.8', 'en'],
  ['fr-FR,fr;q=0.9,en;q=0.5', 'en'],
  ['en;q=0.3, es;q=0.7', 'es'],
  ['EN-gb', 'en'],
  ['en;q=0, es', 'es'],
  ['en;q=0', 'es'],
  ['fr', 'es'],
  ['*', 'es'],
  ['', 'es'],
  ['en;q=nonsense,es;q=0.1', 'es'],
  ['english', 'es'],
])('Accept-Language "%s" is answered in %s', (acceptLanguage, language) => {
  expect(chooseLanguage(acceptLanguage)).toBe(language);
});

test('what the switch says counts more, unless it is no language of ours', () => {
  expect(chooseLanguage('es-MX', 'en')).toBe('en');
  expect(chooseLanguage('en', 'es')).toBe('es');
  expect(chooseLanguage('en', 'fr')).toBe('en');
  expect(chooseLanguage(undefined, '')).toBe('es');
});

test('any header gets a language', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (header, lang) => {
      expect(languages).toContain(chooseLanguage(header, lang));
    }),
  );
});
