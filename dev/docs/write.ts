/**
 * `write.ts [--check] [folder]`: writes docs/generated of this repository (or of another folder). With --check it writes nothing, but
 * prints the problems, such as outdated pages and broken links.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { problemsOfPages, writePages } from './pages.ts';

const { values, positionals } = parseArgs({ options: { check: { type: 'boolean' } }, allowPositionals: true });
const root = path.resolve(positionals[0] ?? path.join(import.meta.dirname, '../..'));

if (values.check) {
  const problems = await problemsOfPages(root);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 ? 1 : 0;
} else {
  const written = writePages(root);
  console.log(written.length > 0 ? `written: ${written.join(', ')}` : 'nothing has changed');
}
