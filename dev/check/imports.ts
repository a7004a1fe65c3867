/** Checks every import under a folder against the tables: `imports.ts [folder]`, by default this repository. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cruise, getAvailableTranspilers, type ICruiseResult, type IModule } from 'dependency-cruiser';
import { importRules, useCasesIn } from './import-rules.ts';

const FOLDERS = ['libs', 'services', 'acquirers', 'simulators', 'ops', 'deploy', 'dev', 'test', 'bench', 'web'];

function sourcesOf(root: string): string[] {
  return globSync(`{${FOLDERS.join(',')}}/**/*.{ts,mjs}`, { cwd: root, exclude: ['**/node_modules', 'libs/*/dist'] });
}

/**
 * Reports files and imports that were not read, because a parser that cannot read TypeScript would see nothing and so find no
 * fault.
 */
function unread(root: string, sources: string[], modules: IModule[]): string[] {
  const seen = new Map(modules.map((module) => [module.source, module.dependencies.length]));
  return sources.filter((source) => {
    const found = seen.get(source);
    return (
      found === undefined || (found === 0 && /^import .*from '/m.test(readFileSync(path.join(root, source), 'utf8')))
    );
  });
}

async function cruiseSources(
  root: string,
  sources: string[],
  rules: ReturnType<typeof importRules>,
): Promise<ICruiseResult> {
  const { output } = await cruise(
    sources,
    {
      baseDir: root,
      parser: 'swc',
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
      validate: true,
      ruleSet: { forbidden: rules },
    },
    { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'], extensions: ['.ts', '.mjs', '.js'] },
  );
  if (typeof output === 'string') throw new Error(output);
  return output;
}

if (!getAvailableTranspilers().some(({ name, available }) => name === 'swc' && available)) {
  throw new Error('dependency-cruiser does not find @swc/core, without which it half reads TypeScript');
}

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../..'));
const sources = sourcesOf(root);
const rules = importRules(useCasesIn(sources, (source) => readFileSync(path.join(root, source), 'utf8')));
const { modules, summary } = await cruiseSources(root, sources, rules);

const blind = unread(root, sources, modules);
for (const source of blind) console.error(`${source}: dependency-cruiser did not read it`);
for (const { from, to, rule, cycle } of summary.violations) {
  const because = rules.find(({ name }) => name === rule.name)?.comment;
  const circle = cycle?.map(({ name }) => name).join(' → ');
  console.error(`${from} → ${circle ?? to}\n  against "${rule.name}": ${because}`);
}
if (sources.length === 0) console.error(`no source files under ${root}`);
if (blind.length + summary.violations.length > 0 || sources.length === 0) process.exitCode = 1;
else console.log(`${modules.length} modules read`);
