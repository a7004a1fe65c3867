/** Holds comments and pages against the mechanical rules of plain sentences: `sentences.ts [folder]`, by default this repository. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { notOurs } from './sentence-rules.ts';
import { wrongSentences } from './wrong-sentences.ts';

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../..'));
const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.md', '*.ts', '*.mjs', '*.sql'];
const files = execFileSync('git', listed, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);

for (const file of files) {
  if (notOurs.some((start) => file.startsWith(start))) continue;
  for (const { line, words, instead } of wrongSentences(file, readFileSync(path.join(root, file), 'utf8'))) {
    console.error(`${file}:${line}: "${words}": ${instead}`);
    process.exitCode = 1;
  }
}
