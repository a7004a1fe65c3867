import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { signingPair } from '../keys.ts';

export const TURN_KEY_USAGE = '--key NAME --step add|use|drop';

/** The data of a Secret, decoded. */
export type Keys = Readonly<Record<string, string>>;
export type Step = 'add' | 'use' | 'drop';

const SIGNING = /^INTERNAL_SIGNING_KEY\.(.+)$/;
const VERIFY = 'INTERNAL_VERIFY_KEYS';
export type Jwk = { kid: string; x: string };

/**
 * One step of turning a key over. `add` puts a new key behind the present one: it is believed, and makes nothing. `use` puts it in front:
 * it makes everything, and the old one is still believed. `drop` takes the old one away.
 * @throws if the key is not there, or is not at the step before
 */
export function turnKey(keys: Keys, name: string, step: Step): Keys {
  const value = keys[name];
  if (value === undefined) throw new Error(`There is no key ${name}.`);
  const service = SIGNING.exec(name)?.[1];
  if (service !== undefined) return turnSigningKey(keys, name, service, step);
  const drawn = () => randomBytes(32).toString('base64');
  return { ...keys, [name]: turned(value.split(','), step, name, drawn).join(',') };
}

/** The private keys of a service are a list too. Their public halves are in the list that all services read. */
function turnSigningKey(keys: Keys, name: string, service: string, step: Step): Keys {
  const before = signersIn(keys, name);
  const pair = signingPair(service);
  const after = turned(before, step, name, () => pair.privateJwk as unknown as Jwk);
  const { keys: believed } = JSON.parse(keys[VERIFY] ?? '{"keys":[]}') as { keys: Jwk[] };
  const gone = new Set(before.filter((jwk) => !after.includes(jwk)).map(({ x }) => x));
  const publicKeys = [...believed.filter(({ x }) => !gone.has(x)), ...(step === 'add' ? [pair.publicJwk] : [])];
  return { ...keys, [name]: JSON.stringify(after), [VERIFY]: JSON.stringify({ keys: publicKeys }) };
}

function signersIn(keys: Keys, name: string): Jwk[] {
  const list: unknown = JSON.parse(keys[name] ?? '');
  return (Array.isArray(list) ? list : [list]) as Jwk[];
}

function turned<K>(ring: K[], step: Step, name: string, draw: () => K): K[] {
  const [first, second, ...more] = ring;
  if (first === undefined || more.length > 0) throw new Error(`${name} has ${ring.length} keys.`);
  if (step === 'add') {
    if (second !== undefined) throw new Error(`${name} has two keys already.`);
    return [first, draw()];
  }
  if (second === undefined) throw new Error(`${name} has one key only: begin with --step add.`);
  return step === 'use' ? [second, first] : [first];
}

/** @throws if the signing key that is to be dropped is still needed */
export type MayDrop = (service: string, key: Jwk) => Promise<void>;

interface Secret {
  metadata: { name: string; namespace?: string; ownerReferences?: { kind: string; name: string }[] };
  data?: Keys;
}

/**
 * Reads a Secret as `kubectl get secret -o json` gives it, or keys by their names as a store of secrets holds them, and returns the same
 * with one key a step further.
 * @throws if something else writes the Secret, because it would write the old keys back
 */
export async function turnKeyOf(given: string, args: string[], mayDrop: MayDrop): Promise<string> {
  const { values } = parseArgs({ args, options: { key: { type: 'string' }, step: { type: 'string' } } });
  const { key, step } = values;
  if (key === undefined || (step !== 'add' && step !== 'use' && step !== 'drop')) throw new Error(TURN_KEY_USAGE);
  const read = JSON.parse(given) as Secret | Keys;
  const turnedKeys = async (before: Keys) => {
    const after = turnKey(before, key, step);
    const service = SIGNING.exec(key)?.[1];
    const gone = step === 'drop' && service !== undefined ? signersIn(before, key).at(1) : undefined;
    if (service !== undefined && gone !== undefined) await mayDrop(service, gone);
    return after;
  };
  return `${JSON.stringify(isSecret(read) ? await inSecret(read, turnedKeys) : await turnedKeys(read), undefined, 2)}\n`;
}

const isSecret = (read: Secret | Keys): read is Secret => typeof read['metadata'] === 'object';

async function inSecret({ metadata, data = {} }: Secret, change: (before: Keys) => Promise<Keys>): Promise<object> {
  const { name, namespace, ownerReferences: [owner] = [] } = metadata;
  if (owner !== undefined) {
    const sentence = `${owner.kind} ${owner.name} writes the Secret ${name} and would undo this`;
    throw new Error(`${sentence}: turn the key where that reads it (docs/deploy.md, Keys).`);
  }
  const after = await change(recoded(data, 'base64', 'utf8'));
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    data: recoded(after, 'utf8', 'base64'),
  };
}

const recoded = (all: Keys, from: BufferEncoding, to: BufferEncoding): Keys =>
  Object.fromEntries(Object.entries(all).map(([name, value]) => [name, Buffer.from(value, from).toString(to)]));
