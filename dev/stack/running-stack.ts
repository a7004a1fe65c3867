import { readFileSync } from 'node:fs';
import { demoFile } from './demo-file.ts';

/** What operator's commands and the seeder need of `.stack/demo.json`. */
export interface RunningStack {
  baseUrl: string;
  apiKey: string;
  databaseUrl: string;
  brokerUrl: string;
  bankUrl: string;
  eventsPrefix?: string;
  dashboard?: { url: string };
  spansFile?: string;
}

/**
 * The stack that runs from this checkout, or the one whose record STACK_FILE names. The record exists only while the stack runs.
 */
export function runningStack(): RunningStack | undefined {
  try {
    return JSON.parse(readFileSync(process.env['STACK_FILE'] ?? demoFile, 'utf8')) as RunningStack;
  } catch {
    return undefined;
  }
}
