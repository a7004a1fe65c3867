import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@cobro/testing/free-port.ts';
import { messageOf, Sentence } from '../../dev/stack/servers/server.ts';
import type { Stack } from '../../dev/stack/stack.ts';
import { artifactFile, type PinnedArtifact } from './artifact.ts';
import { createPeerDatabase } from './peer-database.ts';
import { makeKillBillMerchant } from './kill-bill-merchant.ts';
import type { MeasuredSystem } from './system.ts';
import { untilAnswers } from './until-answers.ts';
import { unzip } from '../../dev/stack/unzip.ts';

const VERSION = '0.22.26';
const WAR: PinnedArtifact = {
  group: 'org.kill-bill.billing',
  name: 'killbill-profiles-killbill',
  version: VERSION,
  type: 'war',
  sha256: '3a777ea29916900a62f5450f0805d33dbb8086bd33f2babad4fb7be2ef48917b',
};
const JETTY_RUNNER: PinnedArtifact = {
  group: 'org.eclipse.jetty',
  name: 'jetty-runner',
  version: '9.4.57.v20241219',
  type: 'jar',
  sha256: 'f63fbee00a06f04a3f715267d5d53ba4389b5b3e9ecc6168d8b73d81243a883f',
};

/** Kill Bill's libraries of 2021 use these packages, which Java closes to them since 16. */
const OPENED_OF_JAVA = [
  'io',
  'lang',
  'lang.reflect',
  'net',
  'security',
  'util',
  'util.concurrent',
  'util.concurrent.atomic',
];
const OPENED_PROTOCOLS = ['file', 'ftp', 'http', 'https', 'jar', 'jrt', 'mailto'];
const OPENED = [
  'sun.net.www.content.text',
  ...OPENED_OF_JAVA.map((name) => `java.${name}`),
  ...OPENED_PROTOCOLS.map((name) => `sun.net.www.protocol.${name}`),
];
const JVM = ['-Xms512m', '-Xmx1g', ...OPENED.map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`)];
/**
 * Logs Kill Bill's own lines on a payment, as ours logs its own on a request, but not, as by default, each request with all its headers.
 */
const LOGGING = `<configuration>
  <appender name="STDOUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%date %level %logger{0} %msg%n</pattern></encoder>
  </appender>
  <logger name="org.glassfish.jersey.logging" level="WARN"/>
  <root level="INFO"><appender-ref ref="STDOUT"/></root>
</configuration>
`;
const STARTED_WITHIN_MS = 4 * 60_000;

/**
 * The files that Kill Bill needs, from the given folder or by Maven.
 * @throws Sentence if Java, or a file and Maven, is not there
 */
export async function fetchKillBill(given: string | undefined) {
  const java = await javaVersion();
  return { java, war: await artifactFile(WAR, given), runner: await artifactFile(JETTY_RUNNER, given) };
}

async function javaVersion(): Promise<string> {
  try {
    const { stdout, stderr } = await promisify(execFile)('java', ['-version']);
    return /"([^"]+)"/.exec(stdout + stderr)?.[1] ?? 'unknown';
  } catch (error) {
    throw new Sentence(
      `Kill Bill needs Java 11 to 17, and \`java\` does not run here (${messageOf(error)}): apt-get install openjdk-17-jre-headless.`,
    );
  }
}

/** Starts Kill Bill on a database of its own on the stack's Postgres, with this number of merchants: tenants with one account each. */
export async function startKillBill(
  stack: Stack,
  files: { war: string; runner: string },
  merchants: number,
): Promise<MeasuredSystem> {
  const databaseUrl = await createPeerDatabase(stack, 'kill_bill', schemaIn(readFileSync(files.war)));
  const folder = join(stack.run.dataFolder, 'kill-bill');
  mkdirSync(join(folder, 'bundles'), { recursive: true });
  const settings = join(folder, 'killbill.properties');
  writeFileSync(settings, settingsFor(databaseUrl, folder), { mode: 0o600 });
  const port = await freePort();
  const logging = join(folder, 'logback.xml');
  writeFileSync(logging, LOGGING);
  const system = {
    'java.io.tmpdir': folder,
    'logback.configurationFile': logging,
    'org.killbill.server.properties': `file://${settings}`,
  };
  const child = stack.run.spawn({
    name: 'kill-bill',
    command: 'java',
    args: [
      ...JVM,
      ...Object.entries(system).map(([name, value]) => `-D${name}=${value}`),
      '-jar',
      files.runner,
      ...Object.entries({ host: '127.0.0.1', port, path: '/' }).flatMap(([name, value]) => [
        `--${name}`,
        String(value),
      ]),
      files.war,
    ],
    env: { PATH: process.env['PATH'] },
    cwd: folder,
  });
  const baseUrl = `http://127.0.0.1:${port}/1.0/kb`;
  await untilAnswers(`http://127.0.0.1:${port}/1.0/healthcheck`, {
    child,
    withinMs: STARTED_WITHIN_MS,
    log: stack.run.logFile('kill-bill'),
  });
  return {
    name: 'kill-bill',
    title: `Kill Bill ${VERSION}`,
    baseUrl,
    merchants: await Promise.all(Array.from({ length: merchants }, (_, n) => makeKillBillMerchant(baseUrl, n + 1))),
    pids: () => ({ 'Kill Bill': [child.pid ?? 0] }),
    hasBroker: false,
  };
}

/** Kill Bill's tables, from its own libraries: first what makes Postgres understand the others. */
function schemaIn(war: Buffer): string[] {
  const libraries = [...unzip(war, /^WEB-INF\/lib\/killbill-(?!queue-).*\.jar$/).values()];
  const files = libraries.flatMap((jar) => [...unzip(jar, /\/ddl(-postgresql)?\.sql$/)]);
  const isFirst = (name: string) => Number(name.endsWith('-postgresql.sql'));
  return files.toSorted(([a], [b]) => isFirst(b) - isFirst(a)).map(([, content]) => content.toString('utf8'));
}

/**
 * The settings of the war's own server, without its test clock, on this database, and with what a busy operator would change: payment
 * threads for all merchants, instead of ten, and one round of hashing for a tenant's secret, which is random here, instead of 200,000 for
 * each request.
 */
function settingsFor(databaseUrl: string, folder: string): string {
  const { host, pathname, username, password } = new URL(databaseUrl);
  const database = { url: `jdbc:postgresql://${host}${pathname}`, user: username, password };
  const settings = Object.entries(database).flatMap(([name, value]) => [
    [`org.killbill.dao.${name}`, value],
    [`org.killbill.billing.osgi.dao.${name}`, value],
  ]);
  return [
    ...settings,
    ['org.killbill.osgi.bundle.install.dir', join(folder, 'bundles')],
    ['org.killbill.osgi.root.dir', join(folder, 'felix')],
    ['org.killbill.server.multitenant', 'true'],
    ['org.killbill.server.test.mode', 'false'],
    ['org.killbill.server.updateCheck.skip', 'true'],
    ['org.killbill.payment.plugin.threads.nb', '64'],
    ['org.killbill.security.shiroNbHashIterations', '1'],
    ['org.killbill.notificationq.main.queue.mode', 'STICKY_POLLING'],
    ['org.killbill.persistent.bus.main.queue.mode', 'STICKY_EVENTS'],
    ['org.killbill.persistent.bus.main.sleep', '0'],
    ['org.killbill.persistent.bus.external.inMemory', 'true'],
    ['org.killbill.persistent.bus.external.queue.mode', 'STICKY_EVENTS'],
    ['org.killbill.tenant.broadcast.rate', '1s'],
  ]
    .map((line) => `${line.join('=')}\n`)
    .join('');
}
