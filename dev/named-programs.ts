interface Program {
  /** Relative to the repository. */
  file: string;
  what: string;
}

interface Group {
  /** The program that runs without a name; where there is none, the names are only listed. */
  unnamed?: string;
  programs: Readonly<Record<string, Program>>;
}

/** What `npm run bench`, `npm run drill` and `npm run docs` run by name. */
export const groups: Readonly<Record<string, Group>> = {
  bench: {
    unnamed: 'pairs',
    programs: {
      pairs: { file: 'bench/bench.ts', what: 'charges and pairs of authorize and capture: rate, latency, CPU' },
      terminals: { file: 'bench/terminals.ts', what: 'intents to terminals, taps to their outcome, waiting' },
      reads: {
        file: 'bench/bench-reads.ts',
        what: 'every list, filter, pair of filters and detail at given sizes',
      },
      dashboard: {
        file: 'bench/dashboard.ts',
        what: 'Home, Cuadre, lists and searches of an organization with many payments, and its export',
      },
      growth: {
        file: 'bench/growth.ts',
        what: 'a pair with 1 to 256 merchants at once, a slow bank, two replicas',
      },
      expiry: { file: 'bench/expiry.ts', what: 'a hundred thousand holds that close together' },
      recovery: { file: 'bench/recovery.ts', what: 'ten thousand operations that an outage of the bank left open' },
      webhooks: { file: 'bench/webhooks.ts', what: 'events to a thousand endpoints, some of which hang' },
      limit: { file: 'bench/limit/bench-limit.ts', what: 'Postgres beside pgbench with the same statements' },
      peers: { file: 'bench/peers/bench-peers.ts', what: 'pairs beside Kill Bill and Medusa' },
    },
  },
  drill: {
    programs: {
      restore: { file: 'test/restore/main.ts', what: 'loses and restores Postgres and the broker under load' },
      alerts: { file: 'test/alerts/alerts.ts', what: 'the causes of each alert before a real Prometheus' },
      planted: {
        file: 'test/planted/planted.ts',
        what: 'bugs, one after the other, and which check of the chaos run sees each',
      },
      soak: { file: 'test/chaos/soak.ts', what: 'the load of the chaos run for long, with nothing wrong: what grows' },
      mutation: { file: 'test/mutation/mutate.ts', what: 'changes the rules to see whether their tests notice' },
    },
  },
  docs: {
    unnamed: 'generated',
    programs: {
      generated: { file: 'dev/docs/write.ts', what: 'docs/generated' },
      deploy: {
        file: 'deploy/generator/write.ts',
        what: 'what in deploy/ follows from the definitions and from values.yaml',
      },
      examples: { file: 'dev/docs/record-examples.ts', what: "docs/examples: the demo's requests and answers" },
      pictures: { file: 'test/browser/take-screenshots.ts', what: 'docs/checkout: the pages of the checkout' },
      screens: {
        file: 'test/browser/take-dashboard-pictures.ts',
        what: '.stack/screens: the screens of the dashboard',
      },
    },
  },
};
