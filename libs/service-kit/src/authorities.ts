import { readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * Images preload this file. Every file in the folder TRUSTED_AUTHORITIES holds certificates (PEM) of authorities that this process
 * believes beside those of Node: of Postgres, RabbitMQ, Redis or the bank, which often have one of their own. The files are read
 * again when they change, so that an authority can be renewed without a restart; connections that are open stay open.
 */
const folder = process.env['TRUSTED_AUTHORITIES'];
if (folder !== undefined && folder !== '') {
  const nodes = getCACertificates('default');
  believe(nodes, folder);
  watch(folder, { persistent: false }, () => believeAgain(nodes, folder));
}

function believe(nodes: string[], from: string): void {
  const files = readdirSync(from).filter((file) => !file.startsWith('.'));
  setDefaultCACertificates([...nodes, ...files.map((file) => readFileSync(join(from, file), 'utf8'))]);
}

/** A file that is just being replaced, or is no certificate, leaves the process with what it believed before. */
function believeAgain(nodes: string[], from: string): void {
  try {
    believe(nodes, from);
  } catch (error) {
    process.emitWarning(`TRUSTED_AUTHORITIES: the certificates as they were stay in force: ${String(error)}`);
  }
}
