import { describe, expect, test } from '@jest/globals';
import { amount, centavosOf, decimalOf } from '@cobro/contracts/amount.ts';
import fc from 'fast-check';
import { readJson } from './read-json.ts';

const read = (text: string) => (readJson(`{"amount":${text}}`) as { amount: number }).amount;

describe('a number', () => {
  test.each([
    ['1e2', 100],
    ['1E+2', 100],
    ['0.1e1', 1],
    ['1.10', 1.1],
    ['1.10000000000000000000000', 1.1],
    ['150.25', 150.25],
    ['15025e-2', 150.25],
    ['999999999.99', 999_999_999.99],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['0', 0],
    ['0.000e-400', 0],
    ['-0', -0],
    ['-1.5', -1.5],
  ])('%s is what it says', (text, value) => {
    expect(read(text)).toBe(value);
  });

  test.each([
    '1.0000000000000000001',
    '0.9999999999999999999',
    '150.250000000000000000000001',
    '0.1000000000000000055511151231257827',
    '10000000000000000001e-19',
    '-1.0000000000000000001',
    '1e-400',
    `0.${'0'.repeat(400)}1`,
  ])('%s is kept by no double, so it is none', (text) => {
    expect(read(text)).toBeNaN();
  });

  test('that is too great for every field stays one, so that a refusal can say so', () => {
    expect(read('1E400')).toBe(Infinity);
    expect(read('123456789012345678901')).toBeGreaterThan(1e20);
  });

  test('with two decimals is an amount, whatever zeros and exponent it is written with; with more it is none', () => {
    const centavos = fc.bigInt({ min: 1n, max: 99_999_999_999n });
    fc.assert(
      fc.property(
        centavos,
        fc.nat(30),
        fc.nat(30),
        fc.bigInt({ min: 1n, max: 10n ** 20n }),
        (value, zeros, shift, rest) => {
          const written = `${value}${'0'.repeat(zeros)}e-${zeros + 2}`;
          expect(centavosOf(read(written))).toBe(value);
          expect(centavosOf(read(`${decimalOf(value)}${'0'.repeat(zeros)}`))).toBe(value);
          const more = `${decimalOf(value)}${'0'.repeat(shift)}${rest}`;
          expect(amount.safeParse(read(more)).success).toBe(false);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('that JSON.stringify writes is the same number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) =>
        expect(read(JSON.stringify(value))).toBe(JSON.parse(JSON.stringify(value)) ?? null),
      ),
      { numRuns: 5_000 },
    );
  });
});

describe('a name that stands twice in one object', () => {
  test.each([
    ['{"amount":1,"amount":2}', 'amount'],
    ['{"amount":1,"b":{},"amount":1}', 'amount'],
    ['{"a":{"b":[1,{"c":"}\\"","d":"{","c":2}]}}', 'a.b.c'],
    ['{"amount":1,"\\u0061mount":2}', 'amount'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"constructor":1,"constructor":2}', 'constructor'],
    ['{"a\\\\":1,"a\\\\":2}', 'a\\'],
    ['{ "x" : "a:b" ,\n "x"\t:1}', 'x'],
  ])('is refused and named: %s', (text, path) => {
    expect(() => readJson(text)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        extras: expect.objectContaining({ details: [{ path, message: 'must be given once' }] }),
      }),
    );
  });

  test('is not repeated where it may be a card number', () => {
    expect(() => readJson('{"4242-4242 4242.4242":1,"4242-4242 4242.4242":2}')).toThrow(
      '[digits]: must be given once.',
    );
  });

  test.each([
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}],"c":"a","d":"\\"d\\":"}',
    '{"toString":1,"hasOwnProperty":2}',
    '{"":1," ":2}',
    '[]',
    '"a"',
    '[["a","a"]]',
  ])('but not in two: %s', (text) => {
    expect(readJson(text)).toEqual(JSON.parse(text));
  });

  test('is found wherever it stands, and any other text is read as JSON.parse reads it', () => {
    const names = fc.constantFrom('a', 'b', 'c"', 'd\\', ':', '{', '__proto__');
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.uniqueArray(names, { minLength: 1 }), (value, few) => {
        const inner = JSON.stringify(value);
        const fields = few.map((name) => `${JSON.stringify(name)}:${inner}`);
        expect(readJson(`{${fields.join()}}`)).toEqual(JSON.parse(`{${fields.join()}}`));
        expect(() => readJson(`{"x":[{${[...fields, fields[0]].join()}}]}`)).toThrow('must be given once');
      }),
    );
  });
});

test('__proto__ is a name like others', () => {
  const value = readJson('{"__proto__":{"amount":1e0}}') as object;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.hasOwn(value, '__proto__')).toBe(true);
});

test.each([
  '{',
  '{"a"::1}',
  '{"a":1,"a":2',
  '{"a":01}',
  '{"a":1.}',
  '{"a":+1}',
  '{"a":NaN}',
  "{'a':1}",
  '\u{feff}{}',
  '',
])('what is no JSON stays none: %s', (text) => {
  expect(() => readJson(text)).toThrow(SyntaxError);
});

test('what is nested too deeply is refused, without a stack that overflows', () => {
  const nested = (deep: number) => `${'['.repeat(deep)}1e1${']'.repeat(deep)}`;
  expect(readJson(nested(32))).toBeDefined();
  for (const deep of [33, 30_000]) expect(() => readJson(nested(deep))).toThrow('must not be nested');
});
