/**
 * A bare pass-through in a process of its own: sends each request on to one address as it came, and the answer back as it comes. It looks
 * at nothing, so it is the least that a gateway in Node on undici can cost. Arguments: where to listen, where to send.
 */
import { createServer } from 'node:http';
import { Pool } from 'undici';

const [port, target] = process.argv.slice(2) as [string, string];
const pool = new Pool(target, { connections: 128, headersTimeout: 0, bodyTimeout: 0 });

/** What belongs to a connection and not to the message, and what undici sets itself. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host']);

const passedOn = (headers: NodeJS.Dict<string | string[]>) =>
  Object.fromEntries(
    Object.entries(headers).filter((field): field is [string, string | string[]] => {
      const [name, value] = field;
      return value !== undefined && !OF_CONNECTION.has(name);
    }),
  );

createServer((request, response) => {
  const { method = 'GET', url = '/', headers } = request;
  const body = method === 'GET' ? null : request;
  pool
    .stream({ method, path: url, headers: passedOn(headers), body }, (answer) =>
      response.writeHead(answer.statusCode, passedOn(answer.headers)),
    )
    .catch(() => response.destroy());
}).listen(Number(port), '127.0.0.1', () => process.send?.('listening'));
process.on('disconnect', () => process.exit());
