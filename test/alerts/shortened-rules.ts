import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Alert, alertsFile } from '../../dev/docs/alert-rules.ts';

/** How long a cause lasts before its alert fires here. */
const LASTING = '5s';
const WINDOW = '10s';
/** The windows of rates. Other windows (`[6h]` outside rates, `[26h]`, `offset`) stay as they are. */
const RATES = /(rate\([^)]*\{[^}]*\})\[(?:2m|5m|10m|30m|1h|6h)\]/g;

/** Thresholds that must be lower than in the file, or higher because a test has few requests. All others stay. */
const instead: Readonly<Record<string, [inTheFile: string, here: string]>> = {
  CobroOutboxWaits: ['> 60', '> 3'],
  CobroConsumerBehind: ['_seconds{namespace=~".*"}) > 60', '_seconds{namespace=~".*"}) > 3'],
  CobroTapsWait: ['> 120', '> 5'],
  CobroOutcomesUnknown: ['> 0.02', '> 0.1'],
};

interface Group {
  name: string;
  rules: Alert[];
}

/** The rules of the chart, with `for`, the windows of rates and a few thresholds so short that a cause can be made in seconds. */
export function shortenedRules(): { groups: Group[] } {
  const { groups } = parse(readFileSync(alertsFile, 'utf8')) as { groups: Group[] };
  return { groups: groups.map(({ name, rules }) => ({ name, rules: rules.map(shortened) })) };
}

function shortened(rule: Alert): Alert {
  const [inTheFile, here] = instead[rule.alert] ?? ['', ''];
  if (!rule.expr.includes(inTheFile)) throw new Error(`${rule.alert} does not say "${inTheFile}" any more`);
  const expr = rule.expr.replace(inTheFile, here).replace(RATES, `$1[${WINDOW}]`);
  return { ...rule, expr, for: LASTING };
}
