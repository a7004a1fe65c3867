import type { IRegularForbiddenRuleType } from 'dependency-cruiser';
import { type Part, parts } from './import-table.ts';
import { type Kind, kinds } from './kind-table.ts';

const TEST = '\\.test\\.ts$';
/** Tests, stories, and the modules that they share. */
const OF_TESTS = '(?:\\.(?:test|story)|-under-test)\\.ts$';
const OURS = '^(?:libs|services|acquirers|simulators|ops|deploy|dev|test|bench|web)/';
const SOURCE = '^(services|acquirers|simulators)/([^/]+)/src/(?:.*/|)';
const PACKAGES = '(?:^|/)node_modules/';

const escape = (text: string) => text.replaceAll('.', '\\.').replaceAll('*', '[^/]+');
/** A glob of the table as a regular expression: a folder with everything below it, or a file. */
const under = (glob: string) => `^${escape(glob)}${glob.endsWith('.ts') ? '$' : '/'}`;
const anyOf = (patterns: string[]) => patterns.join('|') || '(?!)';

function forbid(
  name: string,
  comment: string,
  rule: Pick<IRegularForbiddenRuleType, 'from' | 'to'>,
): IRegularForbiddenRuleType {
  return { name, comment, severity: 'error', ...rule };
}

function limitsOf(
  name: string,
  from: IRegularForbiddenRuleType['from'],
  { packages, builtins, because }: Pick<Part, 'packages' | 'builtins' | 'because'>,
): IRegularForbiddenRuleType[] {
  const allowed = packages && `${PACKAGES}(?:${anyOf(packages.map(escape))})/`;
  return [
    ...(allowed ? [forbid(`${name}: packages`, because, { from, to: { path: PACKAGES, pathNot: allowed } })] : []),
    ...(builtins
      ? [
          forbid(`${name}: modules of Node`, because, {
            from,
            to: { dependencyTypes: ['core'], pathNot: `^(?:node:)?(?:${anyOf(builtins)})$` },
          }),
        ]
      : []),
  ];
}

function rulesOfPart(part: Part): IRegularForbiddenRuleType[] {
  const { folder, imports, typesOf = [], inTests = [], because } = part;
  // The group captures the folder that `*` stands for, so that the target side can refer to it as $1.
  const path = `^(${escape(folder)})/`;
  const inside = parts.filter((other) => other.folder.startsWith(`${folder}/`)).map((other) => under(other.folder));
  const from = { path, pathNot: anyOf([OF_TESTS, ...inside]) };
  const granted = ['^$1/', ...imports.map(under)];
  return [
    forbid(folder, because, { from, to: { path: OURS, pathNot: anyOf([...granted, ...typesOf.map(under)]) } }),
    ...typesOf.map((other) =>
      forbid(`${folder}: types of ${other} only`, because, {
        from,
        to: { path: under(other), dependencyTypesNot: ['type-only'] },
      }),
    ),
    ...limitsOf(folder, from, part),
    forbid(`${folder}: tests`, because, {
      from: { path: `${path}.*${OF_TESTS}`, pathNot: anyOf(inside) },
      to: { path: OURS, pathNot: anyOf(['^$1/', '^libs/', '^test/support/', ...[...imports, ...inTests].map(under)]) },
    }),
  ];
}

/** The files of the use cases that each service's `app.ts` binds by `route(contract, useCase)`. `textOf` reads a source file. */
export function useCasesIn(sources: string[], textOf: (source: string) => string): string[] {
  const apps = sources.filter((source) => /^services\/[^/]+\/src\/app\.ts$/.test(source)).map(textOf);
  return apps.flatMap((text) => {
    const bound = new Set([...text.matchAll(/\broute\([^,]+,\s*(\w+)\)/g)].map(([, name]) => name));
    const imports = [...text.matchAll(/import \{ (\w+) \} from '\.\/(?:.*\/)?([^/']+)';/g)];
    return imports.flatMap(([, name, file = '']) => (bound.has(name) ? [file] : []));
  });
}

function rulesOfKind(kind: Kind, useCases: string[]): IRegularForbiddenRuleType[] {
  const fileOf = ({ file }: Kind) => file ?? `(?:${anyOf(useCases.map(escape))})`;
  const from = { path: `${SOURCE}${fileOf(kind)}$`, pathNot: OF_TESTS };
  const never = kinds.filter(({ name }) => kind.never.includes(name)).map(fileOf);
  const rules = limitsOf(kind.name, from, kind);
  if (never.length > 0) {
    const to = { path: `^$1/$2/src/(?:.*/|)(?:${never.join('|')})$` };
    rules.push(forbid(`${kind.name}: never ${kind.never.join(', ')}`, kind.because, { from, to }));
  }
  if (kind.libs) {
    const to = { path: '^libs/', pathNot: anyOf(kind.libs.map(under)) };
    rules.push(forbid(`${kind.name}: libs`, kind.because, { from, to }));
  }
  return rules;
}

const everywhere: IRegularForbiddenRuleType[] = [
  forbid('pages read no files', 'a page is given what it shows; assets.ts alone reads, once, as the process starts', {
    from: { path: '^web/[^/]+/src/', pathNot: `/assets\\.ts$|${OF_TESTS}` },
    to: { path: '^(?:node:)?fs', dependencyTypes: ['core'] },
  }),
  forbid('no circles', 'what needs each other is one thing, or lacks a third', { from: {}, to: { circular: true } }),
  forbid('no unknown imports', 'an import that is not found escapes every other rule', {
    from: {},
    to: { couldNotResolve: true },
  }),
  forbid('no imports of tests', 'a test is run, never used', { from: {}, to: { path: TEST } }),
  forbid('libs by name', 'a lib is imported as @cobro/<lib>/<file>.ts from outside', {
    from: {
      path: '^(libs/[^/]+|services/[^/]+|acquirers/[^/]+|simulators/[^/]+|web/[^/]+|ops|deploy|dev|test/support|test|bench)/',
    },
    to: {
      path: '^(?:libs|test/support)/',
      pathNot: '^$1/',
      dependencyTypes: ['local'],
      dependencyTypesNot: ['aliased'],
    },
  }),
];

/** The tables as rules of dependency-cruiser. `useCases` are names of files, from `useCasesIn`. */
export const importRules = (useCases: string[]): IRegularForbiddenRuleType[] => [
  ...everywhere,
  ...parts.flatMap(rulesOfPart),
  ...kinds.flatMap((kind) => rulesOfKind(kind, useCases)),
];
