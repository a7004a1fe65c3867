import { routingKeysOf } from '@cobro/contracts/event-routing.ts';
import { envelope, eventData, eventTypes, type EventType } from '@cobro/contracts/events.ts';
import { outwardEvents, outwardTypes, type OutwardType } from '@cobro/contracts/outward-events.ts';
import type { ServiceDefinition } from '@cobro/frame/definition.ts';
import type { z } from 'zod';
import { definitions } from '../../services/definitions.ts';

type Schema = Readonly<Record<string, unknown>>;

interface OpenApi {
  components: { schemas: Readonly<Record<string, Schema & { oneOf?: OutwardSchema[] }>> };
}

type OutwardSchema = Schema & { properties: { type: { const: OutwardType } } };

const channel = (name: string) => ({ $ref: `#/channels/${name}` });
const messageOf = (channelName: string, name: string) => ({ $ref: `#/channels/${channelName}/messages/${name}` });

/** The AsyncAPI 3.0 document: events that merchants are sent, and events between the services. */
export function asyncApiDocument(openApi: string): string {
  const { schemas } = (JSON.parse(openApi) as OpenApi).components;
  const outward = Object.fromEntries(
    (schemas['Event']?.oneOf ?? []).map((payload) => {
      const type = payload.properties.type.const;
      return [type, { name: type, summary: outwardEvents[type].means, headers: signature, payload }];
    }),
  );
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'Cobro, its events',
      version: '1.0.0',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      description: 'What merchants are sent (webhook), and what the services of a deployment publish to one another.',
    },
    defaultContentType: 'application/json',
    servers: {
      merchant: { host: 'shop.example.mx', protocol: 'https', description: 'The address of a webhook endpoint' },
      broker: { host: 'rabbitmq:5672', protocol: 'amqp', description: 'The broker of a deployment' },
    },
    channels: {
      webhook: {
        address: '/',
        servers: [{ $ref: '#/servers/merchant' }],
        description: 'Standard Webhooks. The same events, in the same form, are read at GET /event.',
        messages: Object.fromEntries(outwardTypes.map((type) => [type, { $ref: `#/components/messages/${type}` }])),
      },
      ...Object.fromEntries(eventTypes.map((type) => [type, innerChannel(type)])),
    },
    operations: {
      sendWebhook: {
        action: 'send',
        channel: channel('webhook'),
        summary: 'Sent to each endpoint that asked for the type; tried again for 30 days',
        messages: outwardTypes.map((type) => messageOf('webhook', type)),
      },
      ...Object.fromEntries(eventTypes.flatMap(innerOperations)),
    },
    components: {
      messages: { ...outward, ...Object.fromEntries(eventTypes.map((type) => [type, innerMessage(type)])) },
      schemas: Object.fromEntries(
        reachedFrom(schemas['Event'] ?? {}, schemas).map((name) => [name, schemas[name] ?? {}]),
      ),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const signature = {
  type: 'object',
  properties: {
    'webhook-id': { type: 'string', format: 'uuid', description: 'The id of the event, also when it is sent again' },
    'webhook-timestamp': { type: 'string', description: 'Seconds since 1970' },
    'webhook-signature': {
      type: 'string',
      description: 'v1, and HMAC-SHA-256 of id.timestamp.body; two while a secret turns',
    },
  },
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
};

function innerChannel(type: EventType) {
  const keys = routingKeysOf(type);
  return {
    address: keys.length === 1 ? type : `${type}.{about}`,
    ...(keys.length > 1 && {
      parameters: {
        about: { enum: keys.map((key) => key.slice(type.length + 1)), description: 'For an intent, or not' },
      },
    }),
    servers: [{ $ref: '#/servers/broker' }],
    messages: { [type]: { $ref: `#/components/messages/${type}` } },
    bindings: { amqp: { is: 'routingKey', exchange: { name: 'events', type: 'topic', durable: true, vhost: '/' } } },
  };
}

function innerMessage(type: EventType) {
  const data = jsonSchemaOf(eventData[type].data);
  const around = jsonSchemaOf(envelope);
  const { source, version } = eventData[type];
  const fixed = { type: { const: type }, source: { const: source }, dataversion: { const: version }, data };
  return {
    name: type,
    summary: `Published by ${source.slice(1)}`,
    contentType: 'application/cloudevents+json',
    payload: { ...around, properties: { ...(around['properties'] as object), ...fixed } },
  };
}

/** Without `$schema`: AsyncAPI knows which schema language is meant. */
function jsonSchemaOf(schema: z.ZodType): Schema {
  const json = schema.toJSONSchema({ io: 'input', target: 'draft-7' });
  delete json.$schema;
  return json;
}

/** The producer sends the event, and each follower receives it. */
function innerOperations(type: EventType): [string, object][] {
  const all: readonly ServiceDefinition[] = definitions;
  const messages = [messageOf(type, type)];
  const operation = (action: 'send' | 'receive', by: string): [string, object] => [
    `${by}.${action}.${type}`,
    { action, channel: channel(type), messages, tags: [{ name: by }] },
  ];
  const followers = all.filter(({ follows }) => follows.includes(type)).map(({ name }) => name);
  return [operation('send', eventData[type].source.slice(1)), ...followers.map((name) => operation('receive', name))];
}

/** The names of the schemas that this one refers to, directly or through others. */
function reachedFrom(schema: Schema, schemas: Readonly<Record<string, Schema>>, known = new Set<string>()): string[] {
  for (const [, name = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (known.has(name)) continue;
    known.add(name);
    reachedFrom(schemas[name] ?? {}, schemas, known);
  }
  return [...known];
}
