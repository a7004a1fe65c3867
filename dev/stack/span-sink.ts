import { appendFileSync, statSync } from 'node:fs';
import { type OtlpTraces, spanLines } from '../../ops/trace/span-lines.ts';
import { KEPT_BYTES, keepNewestLines } from './newest-lines.ts';
import { type SmallServer, openSmallServer } from './small-http-server.ts';

/**
 * Takes OTLP over HTTP as JSON and appends one line per span to a file; this stands in for a collector. A file that grows beyond
 * `kept` bytes is cut down to the newest three quarters of that.
 */
export function openSpanSink(port: number, file: string, kept = KEPT_BYTES): Promise<SmallServer> {
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const append = (lines: string) => {
    appendFileSync(file, lines, { mode: 0o600 });
    size += Buffer.byteLength(lines);
    if (size <= kept) return;
    keepNewestLines(file, Math.floor(kept * 0.75));
    ({ size } = statSync(file));
  };
  return openSmallServer(port, ({ method, path, body }) => {
    if (method !== 'POST' || !/^\/v1\/(traces|metrics|logs)$/.test(path)) return { status: 404, body: {} };
    if (path === '/v1/traces') {
      append(
        spanLines(JSON.parse(body) as OtlpTraces)
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      );
    }
    return { status: 200, body: {} };
  });
}
