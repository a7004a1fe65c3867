import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

export interface Alert {
  alert: string;
  expr: string;
  /** As Prometheus reads durations; absent if the alert fires at once. */
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

export interface Panel {
  title: string;
  expr: string;
}

const folder = path.join(import.meta.dirname, '../../deploy/helm/cobro/files');
const read = (file: string): unknown => parse(readFileSync(path.join(folder, file), 'utf8'));

export const alertsFile = path.join(folder, 'alerts.yaml');

/** Every alert, in the order of the file. */
export const alerts = (): Alert[] =>
  (read('alerts.yaml') as { groups: { rules: Alert[] }[] }).groups.flatMap(({ rules }) => rules);

/** The panels of the dashboard, in their order. */
export const panels = (): Panel[] => read('panels.yaml') as Panel[];
