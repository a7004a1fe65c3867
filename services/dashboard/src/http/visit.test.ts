import { expect, test } from '@jest/globals';
import { innerAddress, withoutCardData } from './visit.ts';

test.each([
  ['/payments?q=order-100&page=2', '/payments?q=order-100&page=2'],
  ['/payments?q=100%25', '/payments?q=100%25'],
  ['/payments?q=4111+1111+1111+1111', '/payments'],
  ['/payments?q=4111+1111+1111+1111&x=%', '/payments'],
  ['/payments?q=%34111111111111111&x=%E0', '/payments'],
  ['/payments.csv?q=order-100', '/payments.csv?q=order-100'],
  ['/payments.csv?q=4111+1111+1111+1111', '/payments'],
  ['/payments/4111111111111111?x=%', '/'],
  ['/%/4111+1111+1111+1111', '/'],
])('a page at %s is written down as %s', (address, written) => {
  expect([withoutCardData(address), innerAddress(address)]).toEqual([written, written]);
});
