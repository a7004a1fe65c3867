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

test.each([
  ['/payments?q=a*b', '/payments?q=a*b'],
  ['/confirm?next=%2Fsettings%3Fx%3D1', '/confirm?next=%2Fsettings%3Fx%3D1'],
  // Encoded once more than the browser decodes.
  ['%2Fpayments%3Fstatus%3DPAID', '/'],
  ['/payments%3Fstatus%3DPAID', '/'],
  ['%2F%2Fevil.example', '/'],
  ['/%2Fevil.example', '/'],
  ['/%5Cevil.example', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example/', '/'],
  ['/\t/evil.example', '/'],
  [`/${'a'.repeat(499)}`, `/${'a'.repeat(499)}`],
  [`/${'a'.repeat(500)}`, '/'],
])('whoever wants to go on to %s goes to %s', (wanted, goes) => {
  expect(innerAddress(wanted)).toBe(goes);
});
