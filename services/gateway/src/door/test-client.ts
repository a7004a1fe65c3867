import { once } from 'node:events';
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export interface CallOptions {
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

export interface Answered {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
  /** The `code` of an error body. */
  code: unknown;
}

/** For tests: sends only the headers of a request. The test then sends the rest, waits or leaves. */
export function openRequest(baseUrl: string, method: string, path: string, headers: CallOptions['headers'] = {}) {
  const { hostname, port } = new URL(baseUrl);
  const req = request({ method, path, hostname, port, headers });
  req.on('error', () => {});
  return req;
}

/** Rejects if the answer breaks off. */
export async function answerTo(req: ClientRequest): Promise<Answered> {
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of res.setEncoding('utf8')) body += String(chunk);
  const json = body.startsWith('{') ? (JSON.parse(body) as { code?: unknown }) : {};
  return { status: res.statusCode, headers: res.headers, body, code: json.code };
}

export function call(baseUrl: string, method: string, path: string, options: CallOptions = {}): Promise<Answered> {
  const req = openRequest(baseUrl, method, path, options.headers);
  req.end(options.body);
  return answerTo(req);
}
