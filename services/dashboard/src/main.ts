import { setMaxListeners } from 'node:events';
import { readDashboardAssets } from '@cobro/dashboard/assets.ts';
import { parkedQueue } from '@cobro/events/topology.ts';
import { urlVariable } from '@cobro/frame/definition.ts';
import { runFramed } from '@cobro/frame/run-framed.ts';
import { gaugeOf } from '@cobro/metrics/instruments.ts';
import { openOutbound } from '@cobro/outbound/outbound.ts';
import { createRequestBodies } from '@cobro/service-kit/request-bodies.ts';
import { boundUnfinished } from '@cobro/service-kit/unfinished-requests.ts';
import { countUnanswered } from './audit/audit.store.ts';
import { handlers, jobs, screens } from './app.ts';
import { openApi } from './http/api.ts';
import { createPages } from './http/serve-screens.ts';
import { createNewsWaits } from './live/news-waits.ts';
import { dashboard } from './service.ts';

let listenAt: { host: string; port: number };

await runFramed(dashboard, {
  open: ({ env, db, broker, log, clock, sign, tls, atDrain, atEnd }) => {
    const peopleUrl = String((env as Record<string, unknown>)[urlVariable('gateway')]);
    const api = openApi({ peopleUrl, sign, tls });
    atEnd(api.close);
    gaugeOf('cobro.dashboard.unanswered', () => countUnanswered(db, new Date()));
    const allowsLoopbackIssuers = env.ISSUERS_ON_LOOPBACK === 'true';
    const proxy = env.EGRESS_PROXY && new URL(env.EGRESS_PROXY.reveal());
    const outbound = openOutbound({ allowsLoopback: allowsLoopbackIssuers, proxy });
    atEnd(outbound.close);
    const countParked = () => broker.countReady(parkedQueue(broker.prefix));
    // The first count opens its channel.
    void countParked();
    const draining = new AbortController();
    atDrain(() => draining.abort());
    // Each wait for news listens to it.
    setMaxListeners(0, draining.signal);
    listenAt = { host: env.HOST, port: env.DASHBOARD_PORT };
    return {
      db,
      log,
      clock,
      assets: readDashboardAssets(),
      secretKeys: env.DASHBOARD_KEY,
      baseUrl: env.DASHBOARD_BASE_URL.replace(/\/$/, ''),
      apiBaseUrl: env.API_BASE_URL?.replace(/\/$/, '') ?? null,
      isTestMode: env.KEY_MODE === 'test',
      clockUrl: env.CLOCK_URL,
      trustedProxyHops: env.TRUSTED_PROXY_HOPS,
      draining: draining.signal,
      newsWaits: createNewsWaits(),
      bodies: createRequestBodies(),
      openApi: api.open,
      openStream: api.openStream,
      countParked,
      outbound,
      allowsLoopbackIssuers,
    };
  },
  routes: [],
  listeners: (deps) => [
    {
      app: createPages(deps, screens),
      ...listenAt,
      door: { trustTraceparent: false },
      watch: (server) => boundUnfinished(server, deps),
    },
  ],
  handlers: () => handlers,
  jobs,
});
