import type { Fetch } from './exchange.ts';

/** What one request gets. An error stands for a missing answer. */
export type Line = Error | { status: number; body?: unknown; headers?: Readonly<Record<string, string>> };

export interface Heard {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

/** Replaces the network: answers with the lines in their order, and then always with the last one. */
export function scriptedFetch(...lines: Line[]): { fetch: Fetch; heard: Heard[] } {
  const heard: Heard[] = [];
  const fetch: Fetch = async (url, { method, headers, body }) => {
    heard.push({ method, url, headers, body: body === undefined ? undefined : JSON.parse(body) });
    const line = (lines.length > 1 ? lines.shift() : lines[0]) ?? new Error('no line is left');
    if (line instanceof Error) throw line;
    const named = new Headers(line.headers);
    return {
      status: line.status,
      headers: named,
      text: async () => (typeof line.body === 'string' ? line.body : JSON.stringify(line.body ?? '')),
    };
  };
  return { fetch, heard };
}
