import { showSpread, spreadsOf, tableOf } from '../figures.ts';
import type { Conditions } from './conditions.ts';
import { MEASURED, type PeerRun } from './peer-figures.ts';
import type { MeasuredSystem } from './system.ts';

/** As Markdown: for each number of merchants the medians beside each other, then every run, then the conditions. */
export function printPeers(systems: MeasuredSystem[], runs: PeerRun[], conditions: Conditions): void {
  const counts = [...new Set(runs.map(({ atOnce }) => atOnce))];
  const lines = [
    ...counts.flatMap((atOnce) => [medians(systems, atOnce, runs), '']),
    ...everyRun(systems, runs),
    '',
    ...conditionLines(conditions),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function medians(systems: MeasuredSystem[], atOnce: number, runs: PeerRun[]): string {
  const columns = systems.map(({ name }) => {
    const own = runs.filter((run) => run.system === name && run.atOnce === atOnce);
    return { ...spreadsOf(MEASURED, own), failed: own.reduce((sum, { failed }) => sum + failed, 0) };
  });
  const [own] = columns;
  const row = (name: string, cell: (of: (typeof columns)[number]) => string) => [name, ...columns.map(cell)];
  const ratio = (of: number | undefined, to: number) => ((of ?? Number.NaN) / to).toFixed(2);
  return tableOf(
    [`${atOnce} merchants at once`, ...systems.map(({ title }) => title)],
    [
      row('pairs a second', ({ perSecond }) => showSpread(perSecond)),
      row('p50, ms', ({ p50 }) => showSpread(p50, 1)),
      row('p95, ms', ({ p95 }) => showSpread(p95, 1)),
      row('CPU of its servers, ms a pair', ({ serverCpu }) => showSpread(serverCpu, 2)),
      row('with database and broker, ms a pair', ({ allCpu }) => showSpread(allCpu, 2)),
      row('failed', ({ failed }) => String(failed)),
      row('pairs of ours to one of its', ({ perSecond }) => ratio(own?.perSecond.median, perSecond.median)),
      row('CPU of its servers to ours', ({ serverCpu }) =>
        ratio(serverCpu.median, own?.serverCpu.median ?? Number.NaN),
      ),
      row('CPU of all to ours', ({ allCpu }) => ratio(allCpu.median, own?.allCpu.median ?? Number.NaN)),
    ],
  );
}

function everyRun(systems: MeasuredSystem[], runs: PeerRun[]): string[] {
  const titles = new Map(systems.map(({ name, title }) => [name, title]));
  const each = ({ cpu }: PeerRun) =>
    Object.entries(cpu)
      .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
      .join(', ');
  return [
    '| in this order | round | at once | pairs a second | p50 / p95, ms | CPU ms a pair |',
    '|---|---:|---:|---:|---:|---|',
    ...runs.map((run) => {
      const { system, round, atOnce, perSecond, p50, p95 } = run;
      const latency = `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
      return `| ${titles.get(system)} | ${round} | ${atOnce} | ${perSecond.toFixed(1)} | ${latency} | ${each(run)} |`;
    }),
  ];
}

function conditionLines({ machine, node, java, postgres, commits, load, idle, ...of }: Conditions): string[] {
  const resting = Object.entries(idle).map(([name, ms]) => `${name} ${ms.toFixed(1)}`);
  return [
    `Conditions: ${machine}, Node ${node}, Java ${java}, Postgres ${postgres} (${commits}), telemetry off; ${of.rounds} rounds of ${of.seconds} s`,
    `after ${of.warmUp} pairs each. Load of the machine in the last minute: ${load.toFixed(1)}. Everybody runs all the time; CPU in ms a second while`,
    `nobody asks: ${resting.join(', ')}.`,
  ];
}
