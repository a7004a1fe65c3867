interface Group {
  /** The program that runs without a name; if there is none, the names are only listed. */
  unnamed?: string;
  /** By name: the program's file, relative to the repository, and what it does. */
  programs: Readonly<Record<string, readonly [file: string, what: string]>>;
}

/** What `npm run bench`, `npm run drill` and `npm run docs` run by name. */
export const groups: Readonly<Record<string, Group>> = {
  bench: {
    unnamed: 'pairs',
    programs: {
      pairs: ['bench/bench.ts', 'charges and pairs of authorize and capture: rate, latency, CPU'],
      terminals: ['bench/terminals.ts', 'intents to terminals, taps to their outcome, waiting'],
      reads: ['bench/bench-reads.ts', 'every list, filter, pair of filters and detail at given sizes'],
      dashboard: [
        'bench/dashboard.ts',
        'Home, Cuadre, lists and searches of an organization with many payments, and its export',
      ],
      growth: ['bench/growth.ts', 'a pair with 1 to 256 merchants at once, a slow bank, two replicas'],
      expiry: ['bench/expiry.ts', 'a hundred thousand holds that close together'],
      recovery: ['bench/recovery.ts', 'ten thousand operations that an outage of the bank left open'],
      webhooks: ['bench/webhooks.ts', 'events to a thousand endpoints, some of which hang'],
      peers: ['bench/peers/bench-peers.ts', 'pairs beside Kill Bill and Medusa'],
    },
  },
  drill: {
    programs: {
      restore: ['test/restore/main.ts', 'loses and restores Postgres and the broker under load'],
      alerts: ['test/alerts/alerts.ts', 'the causes of each alert before a real Prometheus'],
      planted: ['test/planted/planted.ts', 'bugs, one after the other, and which check of the chaos run sees each'],
      soak: ['test/chaos/soak.ts', 'the load of the chaos run for long, with nothing wrong: what grows'],
      upgrade: ['test/chaos/upgrade.ts', 'release 0.1.0, this checkout, back and again, under load and faults'],
      mutation: ['test/mutation/mutate.ts', 'changes the rules to see whether their tests notice'],
    },
  },
  docs: {
    unnamed: 'generated',
    programs: {
      generated: ['dev/docs/write.ts', 'docs/generated'],
      deploy: ['deploy/generator/write.ts', 'what in deploy/ follows from the definitions and from values.yaml'],
      examples: ['dev/docs/record-examples.ts', "docs/examples: the demo's requests and answers"],
      pictures: ['test/browser/take-screenshots.ts', 'docs/checkout: the pages of the checkout'],
      screens: ['test/browser/take-dashboard-pictures.ts', '.stack/screens: the screens of the dashboard'],
    },
  },
};
