import { expect, test } from '@jest/globals';
import { ids, sampleFrame } from '../../samples/sample-frame.ts';
import { paymentsPage } from './payments-page.ts';

test('the form of the filters keeps those that a link has set and that have no field', () => {
  const filters = { settledOn: '2026-11-20', terminalId: ids.card, status: 'CONFIRMED' };
  const { main } = paymentsPage(sampleFrame('es', '/payments'), {
    filters,
    sellers: null,
    found: { kind: 'unavailable' },
  });
  const hidden = [...String(main).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  expect(hidden.map(([, name, value]) => [name, value])).toEqual([
    ['settledOn', '2026-11-20'],
    ['terminalId', ids.card],
  ]);
});

test('who sold and where are chosen from lists; one that no list has, or whose list did not come, stays chosen', () => {
  const filters = { salespersonId: ids.person, branchId: ids.card };
  const lists = { salespersonId: [{ id: ids.person, name: 'Ana <Torres>' }], branchId: [] };
  const shown = (sellers: typeof lists | null) => {
    const found = { kind: 'unavailable' } as const;
    return String(paymentsPage(sampleFrame('es', '/payments'), { filters, sellers, found }).main);
  };
  const chosen = [...shown(lists).matchAll(/<option value="([^"]+)" selected>([^<]*)</g)];
  expect(chosen.map(([, value, label]) => [value, label])).toEqual([
    [ids.person, 'Ana &lt;Torres&gt;'],
    [ids.card, ids.card],
  ]);
  expect(shown(null)).toContain(`<input type="hidden" name="branchId" value="${ids.card}" />`);
});
