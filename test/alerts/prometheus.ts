import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, pathFolders } from '@cobro/testing/find-program.ts';
import { freePort } from '@cobro/testing/free-port.ts';
import { until } from '@cobro/testing/until.ts';
import type { Run } from '../../dev/stack/run.ts';

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>;

interface ReportedAlert {
  labels: Record<string, string> & { alertname: string };
  annotations: { summary: string; runbook_url: string };
  state: string;
}

/** The path of a program of Prometheus, or undefined if this machine lacks it. */
export const findPrometheus = (name: 'prometheus' | 'promtool'): string | undefined =>
  findProgram([name], [...pathFolders(), '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']);

/** Starts a Prometheus that scrapes each target and evaluates the rules once a second. It ends with the run. */
export async function startPrometheus(
  run: Run,
  { program, rules, ports }: { program: string; rules: string; ports: Readonly<Record<string, number>> },
) {
  const folder = join(run.dataFolder, 'prometheus');
  mkdirSync(folder);
  const targets = Object.entries(ports).map(([name, port]) => ({ job_name: name, targets: [`127.0.0.1:${port}`] }));
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: targets.map(({ job_name, targets: of }) => ({ job_name, static_configs: [{ targets: of }] })),
  };
  // JSON is YAML.
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const port = await freePort();
  run.spawn({
    name: 'prometheus',
    command: program,
    args: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    cwd: folder,
    env: {},
  });
  const url = `http://127.0.0.1:${port}`;
  const get = async (path: string) =>
    ((await (await fetch(`${url}/api/v1${path}`)).json()) as { data: Record<string, unknown> }).data;
  const all = async () => ((await get('/alerts')) as { alerts: ReportedAlert[] }).alerts;
  await until('Prometheus is ready', () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return {
    url,
    /** The names of the alerts in one of these states. */
    alerts: async (...states: ('pending' | 'firing')[]) => {
      const found = (await all()).filter(({ state }) => (states as string[]).includes(state));
      return [...new Set(found.map(({ labels }) => labels.alertname))].toSorted();
    },
    /** A sentence and a page for each alert that fires. */
    firing: async () => {
      const firing = (await all()).filter(({ state }) => state === 'firing');
      return firing.map(({ labels, annotations: { summary, runbook_url: page } }) =>
        [`${labels['severity']} ${labels.alertname}: ${summary}`, page].join(' '),
      );
    },
    /** The current sum of an expression's series; undefined if there are none. */
    value: async (expr: string) => {
      const { result } = (await get(`/query?query=${encodeURIComponent(expr)}`)) as {
        result: { value: [number, string] }[];
      };
      return result.length === 0 ? undefined : result.reduce((sum, { value }) => sum + Number(value[1]), 0);
    },
  };
}
