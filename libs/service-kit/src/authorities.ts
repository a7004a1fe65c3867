import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/**
 * Images preload this file. Every file in the folder TRUSTED_AUTHORITIES holds certificates (PEM) of authorities that this process
 * believes beside those of Node: of Postgres, RabbitMQ, Redis or the bank, which often have one of their own.
 */
const folder = process.env['TRUSTED_AUTHORITIES'];
if (folder !== undefined && folder !== '') {
  const files = readdirSync(folder).filter((file) => !file.startsWith('.'));
  const own = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  setDefaultCACertificates([...getCACertificates('default'), ...own]);
}
