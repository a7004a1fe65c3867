import { freePort } from '@cobro/testing/free-port.ts';
import { type RunningServices, startServices } from '@cobro/testing/start-services.ts';
import { unansweredInquiries } from '@cobro/testing/start-bank.ts';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { holdAndCapture } from './hold-and-capture.ts';

let services: RunningServices;
const before = { ...process.env };

beforeAll(async () => {
  const [PARTNER_PORT, PEOPLE_PORT] = [String(await freePort()), String(await freePort())];
  services = await startServices({
    services: ['gateway', 'payments', 'holds', 'reporting'],
    env: { BANK_CALL_TIMEOUT_MS: '3000', PARTNER_PORT, PEOPLE_PORT },
  });
  process.env['BASE_URL'] = `${services.url('gateway')}/api`;
  for (const name of ['gateway', 'payments'] as const) {
    process.env[`${name.toUpperCase()}_DATABASE_URL`] = services.databaseUrl(name);
  }
});
afterEach(() => services?.bank.setFaults({}));
afterAll(async () => {
  process.env = before;
  await services?.stop();
});

test('waits for the outcome of what is answered 202', async () => {
  const next = ['tokenize', 'authorize', 'capture'].map((kind) => ({ kind, fault: 'silentDone' }));
  await services.bank.setFaults({ next });
  await holdAndCapture();
  expect(await services.bank.operations()).toMatchObject([
    { kind: 'tokenize' },
    { kind: 'authorize' },
    { kind: 'capture' },
  ]);
});

test('captures again where nothing was sent', async () => {
  await services.bank.setFaults({ next: [{ kind: 'capture', fault: 'retry' }] });
  await expect(holdAndCapture()).resolves.toBeUndefined();
});

test('says so where the outcome stays unknown', async () => {
  await services.bank.setFaults({ ...unansweredInquiries, next: [{ kind: 'capture', fault: 'silentDone' }] });
  await expect(holdAndCapture({ knownWithinMs: 2_000 })).rejects.toThrow(
    /^What became of the capture is not known after 2 s: .* is HELD after 2000 ms\.$/,
  );
});

test('says so where the bank declines', async () => {
  await services.bank.setFaults({ next: [{ kind: 'capture', fault: 'decline' }] });
  await expect(holdAndCapture()).rejects.toThrow('CAPTURE_DECLINED');
});
