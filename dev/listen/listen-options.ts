import { parseArgs } from 'node:util';

export interface ListenOptions {
  forwardTo: URL | undefined;
  /** How far back it begins, in milliseconds; if undefined, where the last run with this key stopped. */
  sinceMs: number | undefined;
  types: string[];
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @throws Error with a sentence for the person at the command line */
export function readListenOptions(args: string[]): ListenOptions {
  const { values } = parseArgs({
    args,
    options: {
      'forward-to': { type: 'string' },
      since: { type: 'string' },
      type: { type: 'string', multiple: true },
    },
  });
  return {
    forwardTo: values['forward-to'] === undefined ? undefined : addressOf(values['forward-to']),
    sinceMs: values.since === undefined ? undefined : durationOf(values.since),
    types: values.type ?? [],
  };
}

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new Error(`--forward-to ${text} is no http address.`);
  return url;
}

function durationOf(text: string): number {
  const [, number, unit] = /^(\d{1,4})([smhd])$/.exec(text) ?? [];
  if (unit === undefined) throw new Error(`--since ${text} is no time like 30s, 5m, 1h or 2d.`);
  return Number(number) * UNITS[unit as keyof typeof UNITS];
}
