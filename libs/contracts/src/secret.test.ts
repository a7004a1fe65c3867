import { format, inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { Secret } from './secret.ts';

const number = '4242424242424242';
const secret = new Secret(number);
const object = { card: { number: secret }, all: [secret], map: new Map([['number', secret]]) };

describe('a secret', () => {
  test('is given to whoever asks for it by name', () => {
    expect(secret.reveal()).toBe(number);
  });

  test.each<[string, () => string]>([
    ['a template', () => `card ${secret as unknown as string}`],
    ['a concatenation', () => 'card '.concat(secret as unknown as string)],
    ['JSON', () => JSON.stringify(object)],
    ['inspect', () => inspect(object, { depth: 9, showHidden: true, getters: true })],
    ['inspect without its own inspection', () => inspect(object, { customInspect: false, showHidden: true, depth: 9 })],
    ['format', () => format('%s %o %O %j %d', secret, secret, object, object, secret)],
    ['an error', () => inspect(Object.assign(new Error(`card ${String(secret)}`), object))],
    [
      'its keys',
      () => [...Object.keys(secret), ...Object.getOwnPropertyNames(secret), ...Reflect.ownKeys(secret)].join(','),
    ],
    ['its values', () => JSON.stringify([Object.values(secret), Object.assign({}, secret), Object.entries(secret)])],
    ['a clone', () => inspect(structuredClone({ secret }))],
  ])('is not shown by %s', (_how, show) => {
    expect(show()).not.toContain('4242');
  });
});
