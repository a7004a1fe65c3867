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
      pairs: { file: 'test/load/bench.ts', what: 'charges and pairs of authorize and capture: rate, latency, CPU' },
      terminals: { file: 'test/load/terminals.ts', what: 'intents to terminals, taps to their outcome, waiting' },
      reads: {
        file: 'test/load/bench-reads.ts',
        what: 'every list, filter, pair of filters and detail at given sizes',
      },
      growth: {
        file: 'test/load/growth.ts',
        what: 'a pair with 1 to 256 merchants at once, a slow bank, two replicas',
      },
      expiry: { file: 'test/load/expiry.ts', what: 'a hundred thousand holds that close together' },
      recovery: { file: 'test/load/recovery.ts', what: 'ten thousand operations that an outage of the bank left open' },
      limit: {
        file: 'test/load/limit/bench-limit.ts',
        what: 'Postgres beside pgbench, the gateway beside a pass-through',
      },
      peers: { file: 'test/load/peers/bench-peers.ts', what: 'pairs beside Kill Bill and Medusa' },
    },
  },
  drill: {
    programs: {
      restore: { file: 'test/restore/main.ts', what: 'loses and restores Postgres and the broker under load' },
      alerts: { file: 'test/alerts/alerts.ts', what: 'the causes of each alert before a real Prometheus' },
      mutation: { file: 'tools/mutation/mutate.ts', what: 'changes the rules to see whether their tests notice' },
    },
  },
  docs: {
    unnamed: 'generated',
    programs: {
      generated: { file: 'tools/docs/write.ts', what: 'docs/generated' },
      deploy: {
        file: 'tools/deploy/write.ts',
        what: 'what in deploy/ follows from the definitions and from values.yaml',
      },
      examples: { file: 'tools/docs/record-examples.ts', what: "docs/examples: the demo's requests and answers" },
      pictures: { file: 'test/browser/take-screenshots.ts', what: 'docs/checkout: the pages of the checkout' },
    },
  },
};
