import { createClient } from '@cobro/client/merchant.ts';
import { createPartner } from '@cobro/client/partner.ts';
import { createTerminal } from '@cobro/client/terminal.ts';
import { expect, test } from '@jest/globals';
import { clientMethods } from './samples.ts';

const options = { baseUrl: 'https://api.example.mx/api', apiKey: 'k', terminalKey: 'k' };
const clients = { cobro: createClient(options), terminal: createTerminal(options), partner: createPartner(options) };

test.each(Object.entries(clientMethods))('%s is called by %s', (_route, method) => {
  let found: unknown = clients;
  for (const name of method.split('.')) found = (found as Record<string, unknown>)[name];
  expect(found).toBeInstanceOf(Function);
});
