import { describe, expect, test } from '@jest/globals';
import { newFormId } from '../http/form-id.ts';
import { readChanges, readNewProduct, readStockChange, typedIn } from './product-form.rules.ts';

const now = new Date('2026-11-25T18:00:00.000Z');
const formId = newFormId(now);
const form = (fields: Record<string, string>) => new URLSearchParams(fields);
const entered = { formId, name: ' Talavera ', price: '$1,250.50', description: '', stock: '', externalId: '' };

describe('the form of a new product', () => {
  test('is the same request however often it is sent, under its own id or the reference that was typed', () => {
    expect(readNewProduct(form(entered), now)).toEqual({
      kind: 'good',
      formId,
      isReferenceOwn: false,
      request: { name: 'Talavera', price: 1250.5, externalId: formId },
    });
    const full = { ...entered, description: 'Azul', stock: '1,200', externalId: 'sku-1' };
    expect(readNewProduct(form(full), now)).toMatchObject({
      isReferenceOwn: true,
      request: { name: 'Talavera', price: 1250.5, externalId: 'sku-1', description: 'Azul', stock: 1200 },
    });
    expect(readNewProduct(form({ ...entered, stock: '0' }), now)).toMatchObject({ request: { stock: 0 } });
  });

  test.each<[Record<string, string>, string[]]>([
    [{ name: '' }, ['name']],
    [{ name: '4242 4242 4242 4242' }, ['name']],
    [{ price: '0' }, ['price']],
    [{ description: 'x'.repeat(501) }, ['description']],
    [{ stock: '-1' }, ['stock']],
    [{ stock: '1.5' }, ['stock']],
    [{ stock: '1000001' }, ['stock']],
    [{ externalId: '4242424242424242' }, ['externalId']],
  ])('%j is wrong', (over, wrong) => {
    expect(readNewProduct(form({ ...entered, ...over }), now)).toEqual({ kind: 'wrong', wrong });
  });

  test('that is too old, or of no page of ours, is not taken', () => {
    expect(readNewProduct(form({ ...entered, formId: 'x' }), now)).toEqual({ kind: 'too-old' });
    expect(readNewProduct(form(entered), new Date(now.getTime() + 43_200_001))).toEqual({ kind: 'too-old' });
  });

  test('shows again what was typed, but for card numbers', () => {
    expect(typedIn(form({ ...entered, name: '4242-4242-4242-4242' }))).not.toHaveProperty('name');
  });
});

describe('the form of a change', () => {
  const was = { 'was-name': 'Talavera', 'was-price': '1,250.50', 'was-description': 'Azul' };
  const left = { name: 'Talavera', price: '1250.5', description: 'Azul' };

  test.each<[Record<string, string>, object]>([
    [{}, {}],
    [{ name: 'Rebozo' }, { name: 'Rebozo' }],
    [{ price: '1,250.51' }, { price: 1250.51 }],
    [{ description: 'Verde' }, { description: 'Verde' }],
  ])('%j sends what is not as it was', (over, changes) => {
    expect(readChanges(form({ ...was, ...left, ...over }))).toEqual({ kind: 'good', changes });
  });

  test('cannot unset a description', () => {
    expect(readChanges(form({ ...was, ...left, description: '' }))).toEqual({ kind: 'wrong', wrong: ['description'] });
  });
});

test.each<[string, number | undefined]>([
  ['10', 10],
  ['+10', 10],
  ['-3', -3],
  ['− 3', -3],
  ['1,000,000', 1_000_000],
  ['0', undefined],
  ['1.5', undefined],
  ['x', undefined],
  ['', undefined],
  ['1000001', undefined],
])('a change of stock by "%s" is %p', (change, read) => {
  expect(readStockChange(form({ change }))).toBe(read);
});
