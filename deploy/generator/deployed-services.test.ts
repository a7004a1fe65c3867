import type { ServiceDefinition } from '@cobro/frame/definition.ts';
import { secretKeys, url } from '@cobro/service-kit/config.ts';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { definitions } from '../../services/definitions.ts';
import { composeFile } from './compose.ts';
import { deployedServices } from './deployed-services.ts';
import { valuesSchema } from './values-schema.ts';

const invoices: ServiceDefinition = {
  name: 'invoices',
  config: { INVOICE_KEY: secretKeys, STAMP_URL: url },
  migrations: '/nowhere',
  calls: ['gateway', 'payments', 'taxes'],
  follows: ['PaymentConfirmed'],
  usesBank: false,
  keepsJournal: false,
};

describe('a service that is added to the list', () => {
  const services = deployedServices([...definitions, invoices]);

  test('is deployed with what its definition says', () => {
    expect(services['invoices']).toMatchObject({
      door: false,
      calls: ['gateway', 'payments'],
      ports: [{ name: 'http', port: 8080 }],
      stores: ['postgres', 'rabbitmq'],
      queue: 'invoices',
      variables: {
        INVOICE_KEY: { key: 'INVOICE_KEY' },
        INTERNAL_SIGNING_KEY: { key: 'INTERNAL_SIGNING_KEY.invoices' },
        PAYMENTS_URL: { service: 'payments', at: 8080 },
        GATEWAY_URL: { service: 'gateway', at: 8082 },
        STAMP_URL: { required: true },
      },
    });
    // A service that is not deployed has no address.
    expect(services['invoices']?.variables).not.toHaveProperty('TAXES_URL');
  });

  test('may be given its own variables in the values, and no others', () => {
    const text = JSON.stringify(valuesSchema(services));
    expect(text).toContain('"invoices"');
    expect(text).toContain('"STAMP_URL"');
    expect(text).not.toContain('"INVOICE_KEY"');
  });

  test('has a container in the compose file', () => {
    expect(composeFile(services)).toContain('cobro-invoices:');
  });
});

test('operations of the compose file has what commands on acquirers, books and people need', () => {
  const { services } = parse(composeFile()) as { services: Record<string, { environment: Record<string, unknown> }> };
  const given = services['operations']?.environment;
  expect(given).toMatchObject({ KEY_MODE: 'test', BANK_URL: services['payments']?.environment['BANK_URL'] });
  expect(given).toHaveProperty('DASHBOARD_BASE_URL');
});

test('the gateway is reached from outside on two ports for two hosts, and services call a third', () => {
  const doors = Object.entries(deployedServices()).filter(([, { door }]) => door);
  expect(doors.map(([name, { ports }]) => [name, ports.map(({ port, host }) => [port, host])])).toEqual([
    [
      'gateway',
      [
        [8080, 'main'],
        [8081, 'partner'],
        [8082, undefined],
      ],
    ],
  ]);
});
