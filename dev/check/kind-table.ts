/** A kind of file inside a service or a simulator, known by its name. */
export interface Kind {
  name: string;
  /** Regular expression for the file's name. Use cases have none, because `app.ts` names them: see `useCasesIn`. */
  file?: string;
  /** Names of kinds that this kind may not import. */
  never: string[];
  /** Libs that this kind may import; if absent, those of its part. */
  libs?: string[];
  packages?: string[];
  builtins?: string[];
  because: string;
}

const STARTERS = ['main', 'app'];
const ENTRANCES = ['consumer', 'job', ...STARTERS];

export const kinds: Kind[] = [
  { name: 'main', file: 'main\\.ts', never: [], because: 'it starts and stops the process' },
  { name: 'app', file: 'app\\.ts', never: ['main'], because: 'it is the table of contents' },
  {
    name: 'definition',
    file: 'service\\.ts',
    never: ['store', 'client', 'use case', 'deps', ...ENTRANCES],
    because: 'dev, ops, deploy and tests read it as data',
  },
  {
    name: 'rules',
    file: '[a-z-]+\\.rules\\.ts',
    never: ['store', 'client', 'use case', 'deps', 'definition', ...ENTRANCES],
    libs: ['libs/contracts', 'libs/domain'],
    packages: [],
    builtins: [],
    because: 'decisions are pure: no I/O, no clock',
  },
  {
    name: 'store',
    file: '[a-z-]+\\.store\\.ts',
    never: ['use case', 'client', ...ENTRANCES],
    because: 'statements decide nothing and call nobody',
  },
  {
    name: 'client',
    file: '[a-z-]+\\.client\\.ts',
    never: ['use case', 'store', ...ENTRANCES],
    because: 'the network knows nothing of what it carries',
  },
  {
    name: 'use case',
    never: ['use case', ...ENTRANCES],
    because: 'each use case reads alone; what two share is a rule, a store or a module with a noun for a name',
  },
  {
    name: 'consumer',
    file: 'on-[a-z-]+\\.ts',
    never: ['consumer', 'job', ...STARTERS],
    because: 'events come from outside; app.ts alone connects them',
  },
  {
    name: 'job',
    file: '[a-z-]+\\.job\\.ts',
    never: ['job', 'consumer', ...STARTERS],
    because: 'timed work; only main.ts or app.ts names it',
  },
  { name: 'deps', file: 'deps\\.ts', never: ['use case', ...ENTRANCES], because: 'it is what use cases are given' },
];
