import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { freePort } from '@cobro/testing/free-port.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { proxyTo, type TcpProxy } from '@cobro/testing/tcp-proxy.ts';
import { type TestAuthority, testAuthority } from '@cobro/testing/test-authority.ts';
import { cardBody } from '@cobro/testing/test-merchant.ts';
import { packedFile } from '@cobro/testing/test-process.ts';
import { until } from '@cobro/testing/until.ts';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMerchants } from '../../dev/stack/merchants.ts';

let authority: TestAuthority;
let folder: string;
let services: RunningServices;
/** Between the gateway and payments. */
let line: TcpProxy;
/** Every byte on it. */
let bytes: Buffer[] = [];
let apiKey: string;

const portOf = (url: string) => Number(new URL(url).port);
const NUMBER = '4242424242424242';

beforeAll(async () => {
  authority = testAuthority();
  folder = mkdtempSync(join(tmpdir(), 'cobro-own-tls-'));
  authority.write(folder);
  // TLS is not required yet, so that the test can read the processes' health without it.
  const [PARTNER_PORT, PEOPLE_PORT] = [String(await freePort()), String(await freePort())];
  const env = { TLS_FOLDER: folder, TLS_REQUIRED: 'false', PARTNER_PORT, PEOPLE_PORT };
  services = await startServices({ services: ['gateway', 'payments'], env });
  const addresses = { gateway: services.databaseUrl('gateway'), payments: services.databaseUrl('payments') };
  ({ apiKey } = await createMerchants(addresses, packedFile));
  line = await proxyTo(services.url('payments'), (some) => bytes.push(some));
  await line.restore();
  await services.terminate('gateway');
});
afterAll(async () => {
  await line?.cut();
  await services?.stop();
  authority.remove();
  rmSync(folder, { recursive: true });
});

const post = async (path: string, body: object) => {
  const answer = await fetch(`${services.url('gateway')}/api/payment-method${path}`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as { id: string } };
};
const saveCard = () => post('', { card: cardBody(NUMBER) });
/** 202 if a slow machine leaves the outcome open. */
const wasTaken = (status: number) => status === 201 || status === 202;
const heard = () => Buffer.concat(bytes).toString('latin1');

const shownSerial = () =>
  new Promise<string>((resolve, reject) => {
    const options = { host: 'localhost', port: portOf(services.url('payments')), ca: authority.certificate };
    const socket = connect(options, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });

test('a card crosses the line in clear without TLS, as the test can see, and cannot be read with it', async () => {
  await services.restart('gateway', 0, { PAYMENTS_URL: `http://localhost:${portOf(line.url)}` });
  await until('a card is taken', async () => wasTaken((await saveCard()).status));
  expect(heard()).toContain(NUMBER);
  await services.terminate('gateway');
  bytes = [];
  await services.restart('gateway', 0, { PAYMENTS_URL: `https://localhost:${portOf(line.url)}` });
  await until('a card is taken', async () => wasTaken((await saveCard()).status));
  expect(bytes.length).toBeGreaterThan(0);
  for (const secret of [NUMBER, 'cvc', 'payment-method', apiKey]) expect(heard()).not.toContain(secret);
});

test('certificates turn in both processes while requests run, and every request is taken', async () => {
  let card = '';
  await until('a card is saved', async () => {
    const saved = await saveCard();
    card = saved.body.id;
    return saved.status === 201;
  });
  const charge = async () => (await post(`/${card}/payment`, { amount: 10 })).status;
  const statuses: number[] = [];
  let atOnce = 1;
  const load = { isOn: true };
  const requests = (async () => {
    while (load.isOn) statuses.push(...(await Promise.all(Array.from({ length: atOnce }, charge))));
  })();
  for (let turn = 0; turn < 3; turn++) {
    const before = await shownSerial();
    authority.write(folder);
    await until('payments shows the new certificate', async () => (await shownSerial()) !== before);
    const connections = line.connections();
    // More requests at once than there are connections, but at most 16 of one card.
    atOnce += 5;
    await until('the gateway has connected with it', () => line.connections() > connections);
  }
  load.isOn = false;
  await requests;
  // On a machine that stands still for seconds no connection is made in time; that 503 is not about certificates.
  const isAboutTime = (logged: string) => /UND_ERR_CONNECT_TIMEOUT|no connection/.test(logged);
  const failed = services
    .logs('gateway')
    .split('\n')
    .filter((logged) => logged.includes('"target":"payments"'));
  expect(failed.filter((logged) => !isAboutTime(logged))).toEqual([]);
  // 429 is the gateway's limit for one key.
  expect(statuses.filter((status) => !wasTaken(status) && status !== 503 && status !== 429)).toEqual([]);
  expect(statuses.filter(wasTaken).length).toBeGreaterThan(0);
});
