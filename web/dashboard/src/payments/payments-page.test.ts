import { expect, test } from '@jest/globals';
import { ids, sampleFrame } from '../../samples/sample-frame.ts';
import { paymentsPage } from './payments-page.ts';

test('the form of the filters keeps those that a link has set and that have no field', () => {
  const filters = { settledOn: '2026-11-20', terminalId: ids.card, status: 'CONFIRMED' };
  const { main } = paymentsPage(sampleFrame('es', '/payments'), { filters, names: {}, found: { kind: 'unavailable' } });
  const hidden = [...String(main).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)];
  expect(hidden.map(([, name, value]) => [name, value])).toEqual([
    ['settledOn', '2026-11-20'],
    ['terminalId', ids.card],
  ]);
});
