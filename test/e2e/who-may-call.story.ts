import { type Envelope, eventTypes, producerOf } from '@cobro/contracts/events.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { refusals } from '@cobro/contracts/refusals.ts';
import { outsidePath, type RouteContract } from '@cobro/contracts/route.ts';
import { contractsOf, mainContracts, nameOf, partnerContracts, personContracts } from '@cobro/contracts/routes.ts';
import { handOverBunch, handOverEvent } from '@cobro/contracts/routes/internal.ts';
import { TOKEN_HEADER } from '@cobro/service-kit/internal-token.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { definitions, type ServiceName, serviceNames } from '../../services/definitions.ts';
import { runCommand } from '../../dev/seed/run-command.ts';
import { createClient } from './client.ts';
import { everything, onceQuiet } from './everything.ts';
import { recordsIn, type RouteExample, routeExamples, sendExample } from './route-examples.ts';
import type { StackUnderTest } from './stack-under-test.ts';
import { headerOf, type Holder, makeKeys, openTokens, wrongKeys } from './wrong-callers.ts';

/** Two merchants, each with its own partner. Neither may reach the other's records. */
type Side = 'ours' | 'theirs';

interface Prepared {
  /** An example of each route, about each side's records. */
  examples: Record<Side, Record<string, RouteExample>>;
  /** Working keys. Examples of terminals' routes have their own. */
  right: Record<Side, Record<Holder, string>>;
  keys: Awaited<ReturnType<typeof makeKeys>>;
  tokens: ReturnType<typeof openTokens>;
  /** All data before the first refused request. */
  before: object;
}

const named = (contract: RouteContract) => ({ name: nameOf(contract), contract });
const outside = [...mainContracts, ...partnerContracts].map(named);
const keyed = outside.filter(({ contract }) => contract.who !== 'public');
/** webhooks takes events only from the broker. */
const followers: ServiceName[] = definitions
  .filter(({ name, follows }) => follows.length > 0 && name !== 'webhooks')
  .map(({ name }) => name);
/** Every route of every service, as the gateway and other services call it. The gateway's own routes are for people only. */
const inside = serviceNames
  .filter((name) => name !== 'gateway')
  .flatMap((service) => {
    const contracts = [...contractsOf(service), ...(followers.includes(service) ? [handOverEvent, handOverBunch] : [])];
    return contracts.map((contract) => ({ ...named(contract), service }));
  });

const atDoor = {
  401: { message: refusals.UNAUTHORIZED[1], code: 'UNAUTHORIZED' },
  403: { message: refusals.FORBIDDEN[1], code: 'FORBIDDEN' },
};

/** Each route, by its contract, refuses everybody else, and nothing changes. A new contract only needs an example in route-examples.ts. */
export function whoMayCall(tested: StackUnderTest): void {
  const { stack } = tested;
  let prepared: Prepared;
  beforeAll(async () => {
    prepared = await prepare(tested);
  });

  const exampleOf = (side: Side, name: string): RouteExample => {
    const example = prepared.examples[side][name];
    if (example === undefined) throw new Error(`route-examples.ts has no example of ${name}`);
    return example;
  };
  const keyOf = (side: Side, name: string, who: Holder) =>
    exampleOf(side, name).terminalKey ?? prepared.right[side][who];
  const listeners = () => ({ main: new URL(stack().baseUrl).origin, partner: new URL(stack().partnerBaseUrl).origin });
  const doorOf = ({ who }: RouteContract) => listeners()[who === 'partner' ? 'partner' : 'main'];
  const askDoor = (contract: RouteContract, example: RouteExample, headers: object, door = doorOf(contract)) =>
    sendExample(`${door}${outsidePath(contract)}`, contract, example, { ...headers });
  const askAs = (side: Side, contract: RouteContract, example = exampleOf(side, nameOf(contract))) => {
    const { who } = contract;
    const key = who === 'public' ? undefined : keyOf(side, nameOf(contract), who as Holder);
    return askDoor(contract, example, key === undefined ? {} : { [headerOf(who)]: key });
  };
  const askService = (service: ServiceName, contract: RouteContract, example: RouteExample, headers: object) =>
    sendExample(`${stack().urls[service]?.[0]}${contract.path}`, contract, example, { ...headers });
  const ourRecords = () =>
    Object.values(prepared.examples.ours).flatMap((example) => [...recordsIn(example), ...(example.shows ?? [])]);

  test.each(keyed)('$name refuses a key that is not the right one', async ({ name, contract }) => {
    const who = contract.who as Holder;
    const token = prepared.tokens.good(who, contract.service);
    for (const { what, headers, status } of wrongKeys(who, prepared.keys, keyOf('ours', name, who), token)) {
      const answer = await askDoor(contract, exampleOf('ours', name), headers);
      const asText = status === 401 && who === 'partner';
      const body = asText ? 'Unauthorized' : atDoor[status];
      expect({ what, status: answer.status, body: answer.body }).toEqual({ what, status, body });
      expect(answer.headers.get('content-type')).toMatch(asText ? 'text/plain' : 'application/json');
    }
  });

  test.each(outside)('$name is not at the other listener', async ({ name, contract }) => {
    const { main, partner } = listeners();
    const door = doorOf(contract) === main ? partner : main;
    for (const key of Object.values(prepared.right.ours)) {
      const headers = { 'x-api-key': key, 'x-terminal-key': prepared.right.ours.terminal };
      const answer = await askDoor(contract, exampleOf('ours', name), headers, door);
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });

  test.each(inside.filter(({ contract }) => contract.who === 'service'))(
    '$name of $service is at no listener',
    async ({ name, contract }) => {
      for (const door of Object.values(listeners())) {
        for (const path of [contract.path, `/api${contract.path}`]) {
          const headers = { 'x-api-key': prepared.right.ours.merchant };
          const answer = await sendExample(`${door}${path}`, contract, exampleOf('ours', name), headers);
          expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
        }
      }
    },
  );

  test.each(personContracts.map(named))('$name is at no listener that the outside reaches', async ({ contract }) => {
    for (const door of Object.values(listeners())) {
      const headers = {
        'x-api-key': prepared.right.ours.merchant,
        [TOKEN_HEADER]: prepared.tokens.good('merchant', 'gateway'),
      };
      const answer = await sendExample(
        `${door}${outsidePath(contract)}`,
        contract,
        { params: { id: newId() } },
        headers,
      );
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });

  test.each(keyed)('$name refuses the records of others, if it takes any', async ({ name, contract }) => {
    const [ours, theirs] = [exampleOf('ours', name), exampleOf('theirs', name)];
    // A subscription's period is a number, not a record of its own.
    const records = Object.keys(contract.params?.shape ?? {}).filter((parameter) => parameter !== 'number');
    expect(recordsIn(ours).length).toBeGreaterThanOrEqual(records.length);
    if (recordsIn(ours).length === 0) return;
    const mixed = records.map((parameter) => ({
      ...theirs,
      params: { ...theirs.params, [parameter]: ours.params?.[parameter] ?? '' },
    }));
    const refusal = contract.who === 'partner' ? /^403 FORBIDDEN$/ : /^404 \w+_NOT_FOUND$/;
    for (const example of [ours, ...mixed]) {
      const { status, body } = await askAs('theirs', contract, example);
      expect(`${status} ${(body as { code?: string }).code}`).toMatch(refusal);
    }
  });

  test.each(inside)(
    '$name of $service refuses a token that is not the right one',
    async ({ name, service, contract }) => {
      const refused = prepared.tokens.wrong(contract, service);
      for (const { what, headers, status } of refused) {
        const answer = await askService(service, contract, exampleOf('ours', name), headers);
        const { code } = atDoor[status];
        expect({ what, status: answer.status, body: answer.body }).toMatchObject({ what, status, body: { code } });
      }
    },
  );

  test.each(followers)('%s takes an event from the service that publishes it, and from no other', async (service) => {
    const { body } = exampleOf('ours', nameOf(handOverEvent)) as { body: Envelope };
    for (const type of eventTypes) {
      const others = serviceNames.filter((name) => name !== producerOf(type) && name !== service);
      for (const name of others) {
        const token = prepared.tokens.ofService(name, service);
        const event = { body: { ...body, id: newId(), type, source: `/${producerOf(type)}` } };
        const answers = [
          await askService(service, handOverEvent, event, { [TOKEN_HEADER]: token }),
          await askService(service, handOverBunch, { body: [event.body] }, { [TOKEN_HEADER]: token }),
        ];
        for (const answer of answers) {
          expect({ type, name, status: answer.status, body: answer.body }).toMatchObject({
            type,
            name,
            status: 403,
            body: { code: 'FORBIDDEN' },
          });
        }
      }
    }
  });

  test('nothing of what was refused has changed anything', async () => {
    expect(await everything(tested)).toEqual(prepared.before);
  });

  test.each(outside)('$name serves whom it is for, and shows others nothing of it', async ({ name, contract }) => {
    const [ours, theirs] = [await askAs('ours', contract), await askAs('theirs', contract)];
    for (const { status } of [ours, theirs]) expect([200, 201]).toContain(status);
    const example = exampleOf('ours', name);
    if (recordsIn(example).length > 0 || contract.method !== 'GET' || contract.who === 'public') return;
    const seen = (answer: object) => ourRecords().filter((id) => JSON.stringify(answer).includes(id));
    expect(seen(ours).length > 0).toBe(example.showsNone !== true);
    expect(seen(theirs)).toEqual([]);
  });

  test.each(inside.filter(({ contract }) => contract.who === 'service'))(
    '$name of $service serves a service',
    async ({ name, service, contract }) => {
      const headers = { [TOKEN_HEADER]: prepared.tokens.good('service', service) };
      const [status] = Object.keys(contract.answers).map(Number);
      expect(await askService(service, contract, exampleOf('ours', name), headers)).toMatchObject({ status });
    },
  );
}

async function prepare(tested: StackUnderTest): Promise<Prepared> {
  const { stack, db, agreed } = tested;
  const { databaseUrl, baseUrl, merchants } = stack();
  const open = async (organizationId: string, partner: string) => {
    const { key: merchant = '' } = await runCommand(databaseUrl, 'keys', 'create', '--organization', organizationId);
    const shop = { stack: stack(), merchant: createClient(baseUrl, merchant), organizationId };
    const examples: Record<string, RouteExample> = {};
    // One after the other, because in parallel they would wait for each other until one gives up.
    for (const [name, make] of Object.entries(routeExamples)) examples[name] = await make(shop);
    return { examples, right: { merchant, partner, terminal: examples['nextPaymentIntent']?.terminalKey ?? '' } };
  };
  const { organizationId, otherOrganizationId } = merchants;
  const [ours, theirs, keys] = await Promise.all([
    open(organizationId, merchants.partnerApiKey),
    open(otherOrganizationId, merchants.otherPartnerApiKey),
    makeKeys(stack(), db('gateway'), organizationId),
  ]);
  await agreed();
  return {
    examples: { ours: ours.examples, theirs: theirs.examples },
    right: { ours: ours.right, theirs: theirs.right },
    keys,
    tokens: openTokens(stack(), organizationId),
    before: await onceQuiet(tested),
  };
}
