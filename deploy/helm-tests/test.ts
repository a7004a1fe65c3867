/**
 * `npm run test:helm`: lints both charts, renders them with every file of values, checks each object against Kubernetes' schemas, and
 * checks the sentences in chart-rules.ts, by helm 4 and helm 3. Needs no cluster.
 */
import path from 'node:path';
import { chartFolder, devChartFolder, lint, notes, render, RenderError, valuesFiles } from './chart.ts';
import { chartRules } from './chart-rules.ts';
import { checkManifest } from './check-manifest.ts';
import { getHelm, type Helm } from './get-helm.ts';

const schemes: [where: string, set: Record<string, unknown>, scheme: string][] = [
  ['where nothing has TLS', { checkoutBaseUrl: '' }, 'http'],
  ['where the checkout is http', {}, 'http'],
  ['where the Ingress has a certificate', { checkoutBaseUrl: '', 'ingress.tlsSecret': 'cert' }, 'https'],
  ['where TLS ends before the Ingress', { checkoutBaseUrl: 'https://cobro.test' }, 'https'],
];

const started = performance.now();
let passed = 0;
let failed = 0;

function report(sentence: string, check: () => string[]): void {
  let problems: string[];
  try {
    problems = check();
  } catch (error) {
    problems = [error instanceof RenderError ? error.message : String(error)];
  }
  if (problems.length === 0) {
    passed++;
    return;
  }
  failed++;
  console.log(`✗ ${sentence}\n${problems.map((problem) => `    ${problem.trimEnd()}`).join('\n')}`);
}

function testBy(helm: Helm): void {
  const what = (chart: string, file?: string) =>
    [path.basename(chart), ...(file ? [path.basename(file)] : [])].join(' with ');
  const all = [
    ...valuesFiles.map((file) => ({ chart: chartFolder, file })),
    { chart: devChartFolder, file: undefined },
  ];
  for (const { chart, file } of all) {
    const files = file === undefined ? [] : [file];
    report(`${helm.version} lints ${what(chart, file)}`, () =>
      [lint(helm, chart, files)].filter((output) => output !== ''),
    );
    report(`${helm.version}: ${what(chart, file)} is what Kubernetes takes`, () =>
      render(helm, { chart, files }).flatMap(checkManifest),
    );
  }
  for (const { sentence, check } of chartRules)
    report(`${helm.version}: ${sentence}`, () => check((of) => render(helm, of)));
  // Helm 3 makes no notes without a cluster.
  for (const [where, set, scheme] of helm.version.startsWith('v3') ? [] : schemes) {
    report(`${helm.version}: the notes say ${scheme} ${where}`, () => {
      const output = notes(helm, { files: [path.join(chartFolder, 'ci/two-cores.yaml')], set });
      return output.includes(` ${scheme}://cobro.test/api`) ? [] : [output];
    });
  }
}

try {
  for (const helm of getHelm()) testBy(helm);
} catch (error) {
  failed++;
  console.log(`✗ ${error instanceof Error ? error.message : String(error)}`);
}
console.log(
  'helm-unittest and kubeconform are not on npm: the sentences and the schemas are checked by this program itself.',
);
console.log(`${passed} passed, ${failed} failed, ${((performance.now() - started) / 1000).toFixed(1)} s`);
process.exitCode = failed === 0 ? 0 : 1;
