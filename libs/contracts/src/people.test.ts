import { expect, test } from '@jest/globals';
import { textFieldsOf } from '@cobro/testing/text-fields.ts';
import { contractsOf, mainContracts, nameOf, partnerContracts, personContracts } from './routes.ts';
import { savePaymentMethod } from './routes/saved-cards.ts';
import type { RouteContract } from './route.ts';

const outside: readonly RouteContract[] = [...mainContracts, ...partnerContracts, ...personContracts];

/** The fields that take a card number, as in card-data-in-requests.test.ts. */
const cardFields = ({ body }: RouteContract) =>
  body !== undefined && 'json' in body ? textFieldsOf(body.json).filter(({ path }) => path.includes('card')) : [];

test('no route for people takes a card', () => {
  expect(cardFields(savePaymentMethod).length).toBeGreaterThan(0);
  const forPeople = outside.filter(({ people }) => people !== undefined);
  expect(forPeople.length).toBeGreaterThan(20);
  for (const contract of forPeople) {
    expect([nameOf(contract), cardFields(contract)]).toEqual([nameOf(contract), []]);
    expect([nameOf(contract), contract.body !== undefined && 'form' in contract.body]).toEqual([
      nameOf(contract),
      false,
    ]);
  }
});

test('people call what a merchant or a partner may, and nothing of terminals, payers or services', () => {
  const services = new Set([...outside, ...contractsOf('payments')].map(({ service }) => service));
  const all = [...services].flatMap((service) => contractsOf(service));
  for (const { people, who } of all.filter((one) => one.people !== undefined)) {
    expect(['merchant', 'partner', 'person']).toContain(who);
    expect(['read', 'operate', 'own']).toContain(people);
  }
});

test('what no key may call is the owners’, and the gateway’s own', () => {
  expect(personContracts.length).toBeGreaterThan(4);
  for (const { people, service } of personContracts)
    expect({ people, service }).toEqual({ people: 'own', service: 'gateway' });
  const ofKeys = [...mainContracts, ...partnerContracts].filter(({ service }) => service === 'gateway');
  expect(new Set(ofKeys.map(({ path }) => path))).toEqual(new Set(['/organization', '/developer/v1/organization']));
});

test('a read is for everybody of a scope, and what changes something is not', () => {
  const methodsOf = (level: string) =>
    new Set(outside.filter(({ people }) => people === level).map(({ method }) => method));
  expect(methodsOf('read')).toEqual(new Set(['GET']));
  expect(methodsOf('operate')).not.toContain('GET');
});
