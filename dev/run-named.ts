/**
 * `npm run bench|drill|docs [-- NAME …]`: runs one of several programs by its name, with the arguments that follow. Without a name it lists
 * the names, and then runs the group's unnamed program, if any.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { groups } from './named-programs.ts';

const root = path.join(import.meta.dirname, '..');
const [groupName = '', ...rest] = process.argv.slice(2);
const group = groups[groupName];
if (group === undefined) throw new Error(`run-named.ts ${Object.keys(groups).join('|')} [NAME …]`);
const hasName = rest[0] !== undefined && !rest[0].startsWith('-');
const name = hasName ? rest[0] : group.unnamed;
const program = name === undefined ? undefined : group.programs[name];

if (!hasName || program === undefined) {
  const lines = Object.entries(group.programs).map(
    ([each, [, what]]) => `  ${each.padEnd(10)} ${what}${each === group.unnamed ? ' (also without a name)' : ''}`,
  );
  process.stderr.write(`npm run ${groupName} -- NAME\n${lines.join('\n')}\n`);
}
if (program === undefined) {
  if (hasName) process.stderr.write(`There is no "${name}".\n`);
  process.exit(hasName ? 64 : 0);
}
const file = path.join(root, program[0]);
process.argv.splice(1, process.argv.length - 1, file, ...(hasName ? rest.slice(1) : rest));
await import(pathToFileURL(file).href);
