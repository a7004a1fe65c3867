import { expect, test } from '@jest/globals';
import { alerts } from '../../dev/docs/alert-rules.ts';
import { causes } from './causes/all.ts';
import { triedByPromtool } from './tried-by-promtool.ts';

test('every alert is tried, by a cause or by promtool', () => {
  const tried = new Set([...causes.map(({ alert }) => alert), ...triedByPromtool()]);
  expect(alerts().flatMap(({ alert }) => (tried.has(alert) ? [] : [alert]))).toEqual([]);
});
