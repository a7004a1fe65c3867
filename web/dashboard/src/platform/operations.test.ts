import { expect, test } from '@jest/globals';
import { sampleFrame } from '../../samples/sample-frame.ts';
import { operationsPage } from './operations.ts';

test('books whose newest day is too old are named', () => {
  const row = { finishedAt: '2026-11-20T06:30:00.000Z', differences: 0, notCompared: null };
  const compared = [
    { ...row, of: 'default', day: '2026-11-19' },
    { ...row, of: 'counters', day: '2026-11-18' },
    { ...row, of: 'default', day: '2026-11-18' },
    { ...row, of: 'counters', day: '2026-11-17' },
  ];
  const frame = sampleFrame('en', '/platform/operations');
  const { main } = operationsPage(frame, { open: null, parked: 0, compared, due: '2026-11-19' });
  const behind = [...String(main).matchAll(/(\w+): nothing was compared after ([^<]*)\./g)];
  expect(behind.map(([, of, day]) => [of, day])).toEqual([['Counters', 'Nov 18, 2026']]);
});
