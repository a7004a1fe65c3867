import { existsSync } from 'node:fs';
import path from 'node:path';
import { mainRoutes, partnerRoutes, type Route, type Who } from '../../services/gateway/src/door/routes.ts';
import { code, page, table } from './markdown.ts';

const services = path.join(import.meta.dirname, '../../services');

const keys: Record<Who, string> = {
  merchant: '`x-api-key`, a merchant’s',
  partner: '`x-api-key`, a partner’s',
  terminal: '`x-terminal-key`',
  public: 'none',
};

/** Every route of the gateway. */
export function routesPage(): string {
  return page(
    'Routes',
    'From `services/gateway/src/door/routes.ts`. A route that is not served yet answers 501 `NOT_IMPLEMENTED`, after the key check. ' +
      'Every service also has `/health/live`, `/health/ready` and, never routed from outside, `/internal/*`.',
    '## Main API',
    tableOf(mainRoutes),
    '## Partner API, on its own port',
    tableOf(partnerRoutes),
  );
}

const tableOf = (routes: readonly Route[]) =>
  table(
    ['method', 'path', 'key', 'served by'],
    routes.map(({ method, path: template, who, service, served }) => [
      method,
      code(template),
      keys[who],
      served && existsSync(path.join(services, service, 'src/main.ts')) ? service : `501 (${service}, not built yet)`,
    ]),
  );
