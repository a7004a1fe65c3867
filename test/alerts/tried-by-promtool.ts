import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

export const promtoolTests = path.join(import.meta.dirname, 'rules.test.yaml');

interface File {
  tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
}

/** The alerts that promtool makes fire, from what a cluster or many hours would export. */
export function triedByPromtool(): string[] {
  const { tests } = parse(readFileSync(promtoolTests, 'utf8')) as File;
  const expected = tests.flatMap((test) => test.alert_rule_test);
  return expected.filter(({ exp_alerts = [] }) => exp_alerts.length > 0).map(({ alertname }) => alertname);
}
