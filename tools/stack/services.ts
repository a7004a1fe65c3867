import type { Schema } from '@cobro/postgres/migrate.ts';
import { schema as gateway } from '../../services/gateway/src/schema.ts';
import { schema as holds } from '../../services/holds/src/schema.ts';
import { schema as payments } from '../../services/payments/src/schema.ts';
import { schema as reporting } from '../../services/reporting/src/schema.ts';

/** Each service says itself which schema it owns and where its migrations are. */
const schemas = { gateway, payments, holds, reporting } satisfies Record<string, Schema>;

export type ServiceName = keyof typeof schemas;

export const serviceNames = Object.keys(schemas) as ServiceName[];

export function schemasOf(services: ServiceName[]): Schema[] {
  return services.map((service) => schemas[service]);
}
