import { expect, test } from '@jest/globals';
import { readFields } from './read-fields.ts';

test.each([
  ['a=1&b=2', { a: '1', b: '2' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['a=&b&=c&&', { a: '', b: '', '': 'c' }],
  ['a+b=c+d%20e%2B', { 'a b': 'c d e+' }],
  ['a=b=c', { a: 'b=c' }],
  ['n=Jos%C3%A9+%F0%9F%92%B3', { n: 'José 💳' }],
  ['n=José', { n: 'José' }],
  ['', {}],
])('%s is read', (text, fields) => {
  expect(readFields(text)).toEqual(fields);
});

test.each([
  ['k=%E1', 'k'],
  ['k=%F1', 'k'],
  ['k=%ED%A0%80', 'k'],
  ['k=100%', 'k'],
  ['k=%zz', 'k'],
  ['%E1=k', ''],
])('%s is refused, because it is no UTF-8', (text, path) => {
  const details = [{ path, message: 'must be UTF-8, percent-encoded' }];
  expect(() => readFields(text)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', extras: expect.objectContaining({ details }) }),
  );
});

test('__proto__ is a name like others', () => {
  const fields = readFields('__proto__=1&__proto__=2');
  expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  expect(Object.entries(fields)).toEqual([['__proto__', ['1', '2']]]);
});
