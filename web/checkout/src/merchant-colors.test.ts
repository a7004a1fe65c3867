import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { readCheckoutAssets } from './assets.ts';
import { accentsOf, contrast, hardestBackground } from './merchant-colors.ts';

const anyColor = fc.nat(0xffffff).map((n) => `#${n.toString(16).padStart(6, '0')}`);

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

test('any colour can be read in light and dark, as text and under text', () => {
  fc.assert(
    fc.property(anyColor, (color) => {
      const accents = accentsOf(color);
      for (const scheme of ['light', 'dark'] as const) {
        const { fill, edge, onFill, ink } = accents[scheme];
        expect(contrast(fill, onFill)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(edge, hardestBackground[scheme])).toBeGreaterThanOrEqual(3);
        expect(contrast(ink, hardestBackground[scheme])).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('a colour that can be read stays as it is', () => {
  const brown = { fill: '#7a3e1d', edge: '#7a3e1d', onFill: '#ffffff', ink: '#7a3e1d' };
  expect(accentsOf('#7A3E1D').light).toEqual(brown);
  const yellow = { fill: '#ffe14d', edge: '#ffe14d', onFill: '#000000', ink: '#ffe14d' };
  expect(accentsOf('#FFE14D').dark).toEqual(yellow);
  expect(accentsOf('#FFE14D').light).toMatchObject({ fill: '#ffe14d', onFill: '#000000' });
});

test('a colour that almost carries white is darkened a little for it', () => {
  const { fill, onFill } = accentsOf('#0e8a7d').light;
  expect(onFill).toBe('#ffffff');
  expect(contrast(fill, '#0e8a7d')).toBeLessThan(1.15);
});

test('a grey, black or white merchant looks switched on in both schemes', () => {
  for (const color of ['#000000', '#ffffff', '#0b1020', '#808080']) {
    expect(accentsOf(color)).toEqual(accentsOf('#888888'));
    expect(contrast(accentsOf(color).light.fill, '#ffffff')).toBeGreaterThan(12);
    expect(contrast(accentsOf(color).dark.fill, '#000000')).toBeGreaterThan(12);
  }
});

test.each([null, '', 'red', '#fff', '#12345g', '#123456;}body{display:none', 'url(//evil.example)'])(
  '%p is no colour: ours is shown',
  (color) => {
    expect(accentsOf(color)).toEqual(accentsOf('#2f4ad0'));
  },
);

test('the backgrounds are those of the style sheet, and the others of each scheme leave more contrast', () => {
  const { style } = readCheckoutAssets();
  const [light = '', dark = ''] = [...style.matchAll(/--page:(#\w+);--surface:(#\w+)/g)].map(
    ([, page, surface]) => `${page} ${surface}`,
  );
  expect(light).toBe(`${hardestBackground.light} #fff`);
  expect(dark).toBe(`#101318 ${hardestBackground.dark}`);
});
