import { openClock } from '@cobro/service-kit/clock.ts';
import { loadConfig } from '@cobro/service-kit/config.ts';
import { createLog } from '@cobro/service-kit/log.ts';
import { runService } from '@cobro/service-kit/run-service.ts';
import { createRoutes } from './app.ts';
import { config } from './config.ts';
import { createFaults } from './faults.ts';
import { openLedger } from './ledger.store.ts';
import { createListener } from './listener.ts';
import type { OperateDeps } from './operate.ts';
import { plantInLedger, plantInRoutes } from './planted-bug.ts';

const { HOST, PORT, LOG_LEVEL, CLOCK_URL, DRAIN_DELAY_MS, LEDGER_PATH, ACCEPTED_TOKENS, PLANTED_BUG } =
  loadConfig(config);
const log = createLog({ service: 'bank', level: LOG_LEVEL });
const clock = await openClock(CLOCK_URL);
const ledger = plantInLedger(PLANTED_BUG, openLedger(LEDGER_PATH));
const deps: OperateDeps = { ledger, now: () => clock.now(), faults: createFaults(), inProgress: new Map() };
const acceptedTokens = PLANTED_BUG === 'asksForNoToken' ? undefined : ACCEPTED_TOKENS;
const routes = plantInRoutes(PLANTED_BUG, createRoutes(deps, clock.move, acceptedTokens), ledger, deps.now);
const { listener, cutSilenced } = createListener(routes, log);

await runService({
  log,
  listeners: [{ app: listener, host: HOST, port: PORT }],
  drainDelayMs: DRAIN_DELAY_MS,
  beforeClose: async () => cutSilenced(),
  afterClose: async () => {
    // Executes slow operations that were accepted, even if the caller has gone, as a real bank does.
    await Promise.allSettled([...deps.inProgress.values()].map(({ reply }) => reply));
    ledger.close();
  },
});
