import { generateKeys } from '@cobro/testing/keys.ts';
import { describe, expect, test } from '@jest/globals';
import { type Keys, turnKey, turnKeyOf } from './turn-key.ts';

const fresh = (): Keys => {
  const keys = generateKeys();
  return { ...keys.shared, 'INTERNAL_SIGNING_KEY.payments': keys.signingKey('payments') };
};
const nobody = () => Promise.reject(new Error('nobody asks for it'));
const secretOf = (keys: Keys) =>
  JSON.stringify({
    metadata: { name: 'cobro-keys' },
    data: Object.fromEntries(
      Object.entries(keys).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    ),
  });
const ringOf = (keys: Keys, name: string) => (keys[name] ?? '').split(',');
const signers = (keys: Keys) =>
  [JSON.parse(keys['INTERNAL_SIGNING_KEY.payments'] ?? '') as { x: string; d: string }].flat();
const believed = (keys: Keys) =>
  (JSON.parse(keys['INTERNAL_VERIFY_KEYS'] ?? '') as { keys: { kid: string; x: string }[] }).keys;

describe('turning a key over', () => {
  test('a drawn key is first believed, then used, and the old one is taken away last', () => {
    const keys = fresh();
    const [old] = ringOf(keys, 'VAULT_KEY');
    const added = turnKey(keys, 'VAULT_KEY', 'add');
    const [first, next = ''] = ringOf(added, 'VAULT_KEY');
    expect(first).toBe(old);
    expect(Buffer.from(next, 'base64')).toHaveLength(32);
    const used = turnKey(added, 'VAULT_KEY', 'use');
    expect(ringOf(used, 'VAULT_KEY')).toEqual([next, old]);
    expect(turnKey(used, 'VAULT_KEY', 'drop')).toEqual({ ...keys, VAULT_KEY: next });
  });

  test('a signing key is known to all services before it signs, and its successor’s public half stays', () => {
    const keys = fresh();
    const name = 'INTERNAL_SIGNING_KEY.payments';
    const [old] = signers(keys);
    const added = turnKey(keys, name, 'add');
    const next = signers(added)[1];
    expect(signers(added)[0]).toEqual(old);
    expect(
      believed(added)
        .filter(({ kid }) => kid === 'payments')
        .map(({ x }) => x),
    ).toEqual([old?.x, next?.x]);
    expect(JSON.stringify(believed(added))).not.toContain(next?.d);
    const used = turnKey(added, name, 'use');
    expect(signers(used)).toEqual([next, old]);
    expect(believed(used)).toEqual(believed(added));
    const dropped = turnKey(used, name, 'drop');
    expect(signers(dropped)).toEqual([next]);
    expect(believed(dropped)).toEqual(believed(added).filter(({ x }) => x !== old?.x));
  });

  test.each(['VAULT_KEY', 'INTERNAL_SIGNING_KEY.payments'])('no step of %s is left out or done twice', (name) => {
    const keys = fresh();
    expect(() => turnKey(keys, name, 'use')).toThrow('begin with --step add');
    expect(() => turnKey(keys, name, 'drop')).toThrow('begin with --step add');
    expect(() => turnKey(turnKey(keys, name, 'add'), name, 'add')).toThrow('two keys already');
    expect(() => turnKey(keys, 'NO_KEY', 'add')).toThrow('There is no key NO_KEY');
  });

  test('a signing key is dropped only where nothing waits that it has signed', async () => {
    const name = 'INTERNAL_SIGNING_KEY.payments';
    const keys = turnKey(turnKey(fresh(), name, 'add'), name, 'use');
    const [, old] = signers(keys);
    const args = ['--key', name, '--step', 'drop'];
    const asked: unknown[] = [];
    const refuse = async (service: string, { x }: { x: string }) => {
      asked.push([service, x]);
      throw new Error('events wait');
    };
    await expect(turnKeyOf(secretOf(keys), args, refuse)).rejects.toThrow('events wait');
    expect(asked).toEqual([['payments', old?.x]]);
    expect(await turnKeyOf(secretOf(keys), args, async () => {})).toContain('cobro-keys');
  });

  test('a Secret as kubectl gives it comes back as one that kubectl takes', async () => {
    const keys = fresh();
    const data = Object.fromEntries(
      Object.entries(keys).map(([name, value]) => [name, Buffer.from(value).toString('base64')]),
    );
    const secret = JSON.stringify({
      kind: 'Secret',
      metadata: { name: 'cobro-keys', namespace: 'pay', uid: '1' },
      data,
    });
    const made = JSON.parse(await turnKeyOf(secret, ['--key', 'CURSOR_KEY', '--step', 'add'], nobody)) as {
      data: Record<string, string>;
    };
    expect(made).toMatchObject({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'cobro-keys', namespace: 'pay' },
    });
    const [first, second, ...more] = Buffer.from(made.data['CURSOR_KEY'] ?? '', 'base64')
      .toString()
      .split(',');
    expect([first, second?.length, more]).toEqual([keys['CURSOR_KEY'], 44, []]);
    expect({ ...made.data, CURSOR_KEY: '' }).toEqual({ ...data, CURSOR_KEY: '' });
    const turn = turnKeyOf(secret, ['--key', 'CURSOR_KEY', '--step', 'turn'], nobody);
    await expect(turn).rejects.toThrow('--step add|use|drop');
  });

  test('what a store holds comes back as what the store takes', async () => {
    const keys = fresh();
    const turned = JSON.parse(
      await turnKeyOf(JSON.stringify(keys), ['--key', 'TAP_KEY', '--step', 'add'], nobody),
    ) as Keys;
    expect(ringOf(turned, 'TAP_KEY')).toEqual([keys['TAP_KEY'], expect.stringMatching(/^.{44}$/)]);
    expect({ ...turned, TAP_KEY: '' }).toEqual({ ...keys, TAP_KEY: '' });
  });

  test('a Secret that something else writes is left alone, because the new key would be lost with the next write', async () => {
    const secret = JSON.parse(secretOf(fresh())) as { metadata: object };
    const ownerReferences = [{ kind: 'ExternalSecret', name: 'cobro-keys' }];
    const owned = JSON.stringify({ ...secret, metadata: { ...secret.metadata, ownerReferences } });
    await expect(turnKeyOf(owned, ['--key', 'VAULT_KEY', '--step', 'add'], nobody)).rejects.toThrow(
      'ExternalSecret cobro-keys writes the Secret cobro-keys and would undo this',
    );
  });
});
