import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript } from '@cobro/testing/run-script.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

const DAEMON = './dev/stack/servers/docker/daemon.ts';

describe('the Docker daemon of a machine, by a stand-in', () => {
  let home: string;
  let socket: string;
  let server: Server;
  let pulled: boolean;
  /** The line of the pull, and whether the pull ends well. */
  let pulling: { line: object; well: boolean };

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'cobro-d-'));
    socket = join(home, 'd.sock');
    pulled = false;
    pulling = { line: { status: 'Download complete' }, well: true };
    server = createServer(({ method, url = '' }, response) => {
      const answer = (status: number, body: object) => response.writeHead(status).end(`${JSON.stringify(body)}\n`);
      if (url.endsWith('/info')) return answer(200, { IndexServerAddress: 'https://index.docker.io/v1/' });
      if (method === 'POST' && url.includes('/images/create')) {
        pulled = pulling.well;
        return answer(200, pulling.line);
      }
      return pulled ? answer(200, {}) : answer(404, { message: 'No such image: x' });
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(home, { recursive: true });
  });

  /** Writes Docker's configuration and context, as the command line does. */
  function configure(configuration: object): void {
    const context = join(home, '.docker/contexts/meta', createHash('sha256').update('colima').digest('hex'));
    mkdirSync(context, { recursive: true });
    const endpoints = { docker: { Host: `unix://${socket}` } };
    writeFileSync(join(context, 'meta.json'), JSON.stringify({ Name: 'colima', Endpoints: endpoints }));
    writeFileSync(join(home, '.docker/config.json'), JSON.stringify(configuration));
  }

  async function found(script: string, env: Record<string, string> = {}): Promise<unknown> {
    // In a container Testcontainers would start another one to find its host.
    const surroundings = { HOME: home, TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1', ...env };
    const { ended, output } = runScript(
      `const { findDaemon, obtainImage } = await import('${DAEMON}');
       const daemon = await findDaemon();
       console.log(JSON.stringify(${script}));
       process.exit();`,
      surroundings,
    );
    expect({ code: await ended, stderr: output.stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(output.stdout);
  }

  const host = 'process.env.DOCKER_HOST ?? null';
  const obtained = `[await obtainImage(daemon, 'redis:8', () => {}) ?? null]`;

  test("is found where the command line's current context says that it listens", async () => {
    configure({ currentContext: 'colima' });
    expect(await found(host)).toBe(`unix://${socket}`);
    configure({});
    expect(await found(host, { DOCKER_CONTEXT: 'colima' })).toBe(`unix://${socket}`);
    expect(await found(host)).toBeNull();
  });

  test('is the one of DOCKER_HOST, whatever the context says', async () => {
    configure({ currentContext: 'colima' });
    expect(await found(host, { DOCKER_HOST: 'unix:///nowhere.sock' })).toBe('unix:///nowhere.sock');
  });

  test('is used on this machine only, which has more addresses than 127.0.0.1', async () => {
    configure({ currentContext: 'colima' });
    const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
    const own = all.filter(({ family }) => family === 'IPv4').slice(0, 3);
    const isFound = (at: string) => found('daemon !== undefined', { TESTCONTAINERS_HOST_OVERRIDE: at });
    for (const { address } of own) expect(await isFound(address)).toBe(true);
    expect(await isFound('203.0.113.7')).toBe(false);
  });

  test("pulls an image also where the helper for the user's credentials is lacking", async () => {
    configure({ currentContext: 'colima', credsStore: 'of-docker-desktop' });
    expect(await found(obtained)).toEqual([null]);
  });

  test('says why an image cannot be had, also where the download has begun', async () => {
    const error = 'no matching manifest for linux/arm64';
    configure({ currentContext: 'colima' });
    pulling = { line: { error, errorDetail: { message: error } }, well: false };
    expect(await found(obtained)).toEqual([error]);
  });
});
