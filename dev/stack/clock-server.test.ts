import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ClockServer, openClockServer } from './clock-server.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { type SmallServer, openSmallServer } from './small-http-server.ts';

describe('the business clock of a stack', () => {
  let folder: string;
  let clock: ClockServer;
  let follower: SmallServer;
  let received: unknown[];

  async function open(): Promise<ClockServer> {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const followers = () => [{ url: nobody }, follower];
    return openClockServer({ port: await freePort(), file: join(folder, 'clock.json'), followers });
  }

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cobro-clock-'));
    received = [];
    follower = await openSmallServer(await freePort(), ({ method, path, body }) => {
      received.push([method, path, JSON.parse(body)]);
      return { status: 200, body: {} };
    });
    clock = await open();
  });
  afterEach(async () => {
    await Promise.all([clock.close(), follower.close()]);
    rmSync(folder, { recursive: true });
  });

  async function ask(method: string, body?: string) {
    const response = await fetch(clock.url, { method, ...(body === undefined ? {} : { body }) });
    return { status: response.status, body: (await response.json()) as { offsetMs: number; now: string } };
  }

  test('is real time until it is moved', async () => {
    const { body } = await ask('GET');
    expect(body.offsetMs).toBe(0);
    expect(Math.abs(Date.parse(body.now) - Date.now())).toBeLessThan(60_000);
  });

  test('is moved on by seconds, again and again, and every process that answers learns it first', async () => {
    await ask('PUT', '{"advanceSeconds":3600}');
    expect((await ask('PUT', '{"advanceSeconds":0.5}')).body.offsetMs).toBe(3_600_500);
    expect(received).toEqual([
      ['PUT', '/internal/clock', { offsetMs: 3_600_000 }],
      ['PUT', '/internal/clock', { offsetMs: 3_600_500 }],
    ]);
  });

  test('is set to a moment, from where it runs on', async () => {
    const { body } = await ask('PUT', '{"now":"2027-01-01T00:00:00-06:00"}');
    expect(Math.abs(Date.parse(body.now) - Date.parse('2027-01-01T06:00:00Z'))).toBeLessThan(60_000);
  });

  test('is put back', async () => {
    await ask('PUT', '{"advanceSeconds":3600}');
    expect((await ask('DELETE')).body.offsetMs).toBe(0);
    expect(received.at(-1)).toEqual(['PUT', '/internal/clock', { offsetMs: 0 }]);
  });

  test('keeps its offset when the one who serves it is started again', async () => {
    await ask('PUT', '{"advanceSeconds":60}');
    await clock.close();
    clock = await open();
    expect((await ask('GET')).body.offsetMs).toBe(60_000);
  });

  test.each([
    '',
    'null',
    '{}',
    '{"now":"tomorrow"}',
    '{"now":"2027-01-01"}',
    '{"now":"2027-13-01T00:00:00Z"}',
    '{"advanceSeconds":"60"}',
    '{"advanceSeconds":1e300}',
    '{"advanceSeconds":60,"now":"2027-01-01T00:00:00Z"}',
    '{"advanceMinutes":1,"advanceSeconds":60}',
  ])('refuses %s and does not move', async (body) => {
    expect((await ask('PUT', body)).status).toBe(400);
    expect((await ask('GET')).body.offsetMs).toBe(0);
    expect(received).toEqual([]);
  });
});
