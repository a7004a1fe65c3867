/**
 * The architecture: who may import whom. The check of imports is generated from this table and the one of
 * `kind-table.ts`. Tests (`*.test.ts`, `*-under-test.ts`) have looser
 * rules: they may import every lib, test/support, their own folder and any package.
 */

/**
 * A part of the repository. Without `packages` the part may import those that its package.json declares; without `builtins`, all
 * of Node's.
 */
export interface Part {
  /** The part's folder. `*` stands for each folder there, and these folders may not import one another. */
  folder: string;
  /** Folders and files of other parts that the part may import, by glob. */
  imports: string[];
  /** Folders from which the part may import types, but nothing that runs. */
  typesOf?: string[];
  /** Further files that the part's tests may import. */
  inTests?: string[];
  packages?: string[];
  builtins?: string[];
  because: string;
}

export const parts: Part[] = [
  {
    folder: 'libs/async',
    imports: [],
    packages: [],
    builtins: ['timers/promises'],
    because: 'what bounds, gathers and times out work knows nothing of the work',
  },
  {
    folder: 'libs/certificates',
    imports: [],
    packages: [],
    builtins: ['fs', 'path', 'tls'],
    because: 'who connects to a server shows what files hold, whatever the server is',
  },
  {
    folder: 'libs/client',
    imports: [],
    packages: [],
    builtins: ['crypto', 'timers/promises'],
    because: 'it is published as one package that needs no other',
  },
  {
    folder: 'libs/contracts',
    imports: [],
    packages: ['zod'],
    builtins: ['crypto', 'util'],
    because: 'what crosses a process depends on nothing that runs in one',
  },
  {
    folder: 'libs/domain',
    imports: ['libs/contracts'],
    packages: ['luxon'],
    builtins: [],
    because: 'rules that several services share are pure: of what crosses a process, or of nothing',
  },
  {
    folder: 'libs/html',
    imports: ['libs/contracts'],
    packages: [],
    builtins: ['crypto'],
    because: 'what pages are made of knows no page',
  },
  {
    folder: 'libs/metrics',
    imports: ['libs/async'],
    because: 'what is counted is declared in one place, and everything may count',
  },
  {
    folder: 'libs/postgres',
    imports: ['libs/async', 'libs/certificates'],
    because: 'the database knows nothing of what is kept in it',
  },
  {
    folder: 'libs/events',
    imports: ['libs/async', 'libs/certificates', 'libs/contracts', 'libs/metrics', 'libs/postgres'],
    because: 'outbox and inbox are tables, events are contracts',
  },
  {
    folder: 'libs/bank',
    imports: [
      'libs/async',
      'libs/certificates',
      'libs/contracts',
      'libs/metrics',
      'libs/postgres',
      'libs/service-kit/src/exchange.ts',
    ],
    because: 'the journal is a table; what is decided of a bank answer is decided in the services',
  },
  {
    folder: 'libs/service-kit',
    imports: [
      'libs/async',
      'libs/certificates',
      'libs/contracts',
      'libs/metrics',
      'libs/limits/src/network.ts',
      'libs/limits/src/redis-address.ts',
    ],
    typesOf: ['libs/postgres'],
    because: 'what every process does alike, with or without a database',
  },
  {
    folder: 'libs/books',
    imports: ['libs/bank', 'libs/contracts', 'libs/domain'],
    packages: [],
    because: 'it compares books that are read by others',
  },
  {
    folder: 'libs/limits',
    imports: ['libs/async', 'libs/certificates', 'libs/metrics'],
    because: 'counting knows nothing of what is counted, and Redis may be away',
  },
  {
    folder: 'libs/outbound',
    imports: [],
    packages: ['undici'],
    builtins: ['dns', 'dns/promises', 'http', 'net', 'tls', 'util'],
    because: 'where strangers may have us send to is one lib, which knows nothing of what is sent',
  },
  {
    folder: 'libs/frame',
    imports: [
      'libs/async',
      'libs/contracts',
      'libs/domain/src/time-range.ts',
      'libs/postgres',
      'libs/events',
      'libs/bank',
      'libs/metrics',
      'libs/service-kit',
    ],
    because: 'it opens and closes what a service is made of, as its definition says',
  },
  {
    folder: 'services/definitions.ts',
    imports: ['services/*/src/service.ts'],
    because: 'it is the one list of services, and data only',
  },
  {
    folder: 'web/*',
    imports: ['libs/contracts', 'libs/domain', 'libs/html'],
    packages: [],
    builtins: ['crypto', 'fs'],
    because: 'a page is a pure function of what it shows',
  },
  {
    folder: 'services/*',
    imports: [
      'libs/async',
      'libs/contracts',
      'libs/domain',
      'libs/postgres',
      'libs/events',
      'libs/bank',
      'libs/books',
      'libs/limits',
      'libs/metrics',
      'libs/service-kit',
      'libs/frame',
      'libs/client',
      'libs/html',
      'libs/outbound',
      'web/*',
    ],
    because: 'services are islands: they meet by HTTP and events',
  },
  {
    folder: 'simulators/*',
    imports: ['libs/client', 'libs/contracts', 'libs/domain', 'libs/service-kit', 'libs/postgres'],
    because: 'stand-ins for the outside world share no code with its clients; a terminal is a client',
  },
  {
    folder: 'acquirers/*',
    imports: ['libs/contracts', 'libs/domain', 'libs/metrics', 'libs/postgres', 'libs/service-kit'],
    inTests: ['ops/conformance', 'simulators/localstripe'],
    because: 'an adapter meets the services by the acquirer protocol alone, and has nothing of theirs',
  },
  {
    folder: 'ops',
    imports: [
      'libs/*',
      'acquirers/*/src/schema.ts',
      'services/definitions.ts',
      'services/*/src/admin-commands.ts',
      'services/*/src/retelling.ts',
      'services/dashboard/src/people/*.ts',
      'services/dashboard/src/sign-in/*.ts',
      'services/gateway/src/registry/*.ts',
      'services/intents/src/registry/*.ts',
      'services/intents/src/intents/intent-book.store.ts',
      'services/payments/src/books/*.ts',
      'services/payments/src/acquirers/acquirer-choice.store.ts',
      'services/payments/src/cards/reseal-cards.ts',
      'services/payments/src/organizations/organization.store.ts',
      'services/holds/src/hold-book.store.ts',
      'services/webhooks/src/events/event-book.store.ts',
      'services/webhooks/src/events/traced-event.store.ts',
      'services/reporting/src/app.ts',
      'services/reporting/src/day-sum.store.ts',
      'services/reporting/src/payment-book.store.ts',
      'services/reporting/src/payment-tally.store.ts',
      'services/reporting/src/service.ts',
    ],
    inTests: ['services/reporting/src/reporting-under-test.ts', 'dev/stack/provision-postgres.ts'],
    because: 'operators migrate, inspect and repair what services own; a service runs none of it',
  },
  {
    folder: 'deploy',
    imports: [
      'libs/*',
      'acquirers/*/src/config.ts',
      'acquirers/*/src/schema.ts',
      'services/definitions.ts',
      'ops/image/secrets.ts',
      'dev/docs/connections-page.ts',
      'dev/docs/markdown.ts',
      'dev/stack/unzip.ts',
    ],
    because: 'what runs in a cluster follows from the definitions',
  },
  {
    folder: 'dev',
    imports: [
      'libs/*',
      'services/definitions.ts',
      'acquirers/*/src/config.ts',
      'acquirers/*/src/schema.ts',
      'simulators/*/src/config.ts',
      'simulators/localstripe/src/find-programs.ts',
      'simulators/terminal',
      'web/reference',
      'deploy/images/pack.ts',
      'ops',
      'test/support',
      'test/mutation',
    ],
    because:
      'it starts services as processes, runs their commands and documents what their definitions declare; the demo holds cards to a terminal',
  },
  {
    folder: 'test/support',
    imports: [
      'libs/*',
      'services/definitions.ts',
      'services/payments/src/books/payment-book.store.ts',
      'services/holds/src/hold-book.store.ts',
      'services/intents/src/intents/intent-book.store.ts',
      'services/reporting/src/day-sum.store.ts',
      'services/reporting/src/payment-book.store.ts',
      'services/reporting/src/payment-tally.store.ts',
      'services/webhooks/src/events/event-book.store.ts',
      'acquirers/stripe/src/schema.ts',
      'simulators/localstripe',
      'ops/keys.ts',
    ],
    because: 'it starts and inspects everything, and nothing that is deployed uses it',
  },
  {
    folder: 'test',
    imports: [
      'libs/*',
      'web/*',
      'services/definitions.ts',
      'services/dashboard/src/app.ts',
      'services/dashboard/src/people/roles.rules.ts',
      'simulators/localstripe',
      'simulators/terminal',
      'ops',
      'deploy/helm-tests',
      'dev',
      'test/support',
      'bench',
    ],
    because: 'tests of the whole use it as merchants and terminals do',
  },
  {
    folder: 'bench',
    imports: ['libs/*', 'services/definitions.ts', 'simulators/terminal', 'dev', 'test/support'],
    because: 'it loads whole stacks as merchants and terminals do',
  },
];
