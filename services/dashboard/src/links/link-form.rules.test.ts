import { describe, expect, test } from '@jest/globals';
import { newFormId } from '../http/form-id.ts';
import { readLinkForm, typedIn } from './link-form.rules.ts';

const now = new Date('2026-11-25T18:00:00.000Z');
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const formId = newFormId(now);
const form = (over: Record<string, string | string[]> = {}) => {
  const fields = {
    formId,
    amount: '$1,250.50',
    description: ' Pan ',
    externalId: '',
    days: '3',
    terms: ['1', '6'],
    ...over,
  };
  return new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  );
};

describe('the form of a link', () => {
  test('is the same request whenever it is sent, under its own id', () => {
    const read = readLinkForm(form(), later(1));
    expect(read).toEqual({
      kind: 'good',
      formId,
      isReferenceOwn: false,
      request: {
        amount: 1250.5,
        description: 'Pan',
        externalId: formId,
        allowedTerms: [1, 6],
        expiresAt: '2026-11-28T18:00:00.000Z',
      },
    });
    expect(readLinkForm(form(), later(300))).toEqual(read);
  });

  test('goes under the reference that was typed', () => {
    expect(readLinkForm(form({ externalId: 'pedido-1' }), now)).toMatchObject({
      isReferenceOwn: true,
      request: { externalId: 'pedido-1' },
    });
  });

  test.each<[Record<string, string | string[]>, string[]]>([
    [{ amount: '0' }, ['amount']],
    [{ amount: '12,5' }, ['amount']],
    [{ description: '' }, ['description']],
    [{ description: 'x'.repeat(501) }, ['description']],
    [{ description: 'tarjeta 4242 4242 4242 4242' }, ['description']],
    [{ externalId: '4242424242424242' }, ['externalId']],
    [{ terms: ['2', 'x'] }, ['terms']],
    [{ amount: '', description: '', terms: [] }, ['amount', 'description', 'terms']],
  ])('%j is wrong', (over, wrong) => {
    expect(readLinkForm(form(over), now)).toEqual({ kind: 'wrong', wrong });
  });

  test.each([['no id'], ['4242424242424242'], [newFormId(later(-721))], [newFormId(later(1))]])(
    'with the id %s is too old, or of no page of ours',
    (id) => {
      expect(readLinkForm(form({ formId: id }), now)).toEqual({ kind: 'too-old' });
    },
  );

  test('shows again what was typed, but for card numbers', () => {
    expect(typedIn(form({ description: '4242-4242-4242-4242', terms: ['3', '2'] }))).toEqual({
      amount: '$1,250.50',
      externalId: '',
      days: '3',
      terms: [3],
    });
  });
});
