import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { html } from './html.ts';

test('a value is escaped in text and in attributes, a fragment is not escaped again', () => {
  const name = `<b onclick="x">'Tom' & "Ana"</b>`;
  const fragment = html`<i title="${name}">${name}</i>`;
  const escaped = '&lt;b onclick=&quot;x&quot;&gt;&#39;Tom&#39; &amp; &quot;Ana&quot;&lt;/b&gt;';
  expect(String(html`<p>${fragment}</p>`)).toBe(`<p><i title="${escaped}">${escaped}</i></p>`);
});

test('no text can open or close an element or an attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = String(html`${text}`);
      expect(shown).not.toMatch(/[<>"']/);
      expect(shown.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
    }),
  );
});

test('lists are joined, and what is absent shows nothing', () => {
  expect(String(html`${[html`<li>`, 'a', [1, null]]}|${undefined}${false}${0}`)).toBe('<li>a1|0');
});

test('the lines of a template come out without their indentation, those of a value as they are', () => {
  const text = 'a\n   b';
  expect(
    String(html`<p>
      ${text}
    </p>`),
  ).toBe('<p>\na\n   b\n</p>');
});

test('an attribute without quotes is refused', () => {
  expect(() => html`<input value=${'a b'}>`).toThrow('without quotes');
});
