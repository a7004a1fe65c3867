import type { CallerOf } from '@cobro/contracts/caller.ts';
import { newId } from '@cobro/contracts/ids.ts';
import { sql } from '@cobro/postgres/database.ts';
import '@cobro/testing/check-answers.ts';
import { testDatabase } from '@cobro/testing/test-database.ts';
import { testRedis } from '@cobro/testing/test-redis.ts';
import { describe, expect, test } from '@jest/globals';
import { writeKeyUses } from '../door/write-uses.job.ts';
import { hashOfKey } from '../registry/key-hash.ts';
import { findActiveKey, lockKey } from '../registry/key.store.ts';
import { endRolledKeys } from './end-rolled-keys.job.ts';
import { read, replicasOfGateway } from './test-replicas.ts';

type Owner = CallerOf<'person'>;
const { ask, eventsOf, gateway, listed, made, newOwner, other, replicasLook, statusOf } = replicasOfGateway({
  database: () => testDatabase('gateway'),
  redis: testRedis,
});

describe('a key that is rolled', () => {
  const roll = (owner: Owner, id: string, oldKeyLivesForSeconds: number, externalId = newId(), at = gateway()) =>
    ask(owner, 'POST', `/${id}/roll`, { oldKeyLivesForSeconds, externalId }, at);

  test('at once is replaced at once', async () => {
    const owner = await newOwner();
    const old = await made(owner, 'Caja');
    await statusOf(old.key);
    const answer = await roll(owner, old.id, 0);
    expect(answer.status).toBe(201);
    await replicasLook();
    expect([await statusOf(old.key), await statusOf(read(answer).key)]).toEqual([401, 200]);
    expect((await listed(owner)).map(({ name, status }) => [name, status])).toEqual([
      ['Caja', 'ACTIVE'],
      ['Caja', 'REVOKED'],
    ]);
  });

  test('with overlap works beside the new one until its time, also where the database is away by then', async () => {
    const owner = await newOwner();
    const old = await made(owner);
    const made2 = read(await roll(owner, old.id, 600));
    await replicasLook();
    expect([await statusOf(old.key), await statusOf(made2.key)]).toEqual([200, 200]);
    expect((await listed(owner)).at(-1)).toMatchObject({ status: 'ENDING', endsAt: expect.any(String) });
    expect((await eventsOf(old.id)).at(-1)).toMatchObject({ type: 'KeyRevoked', data: { personId: owner.personId } });
    // No key is looked up any more: the remembered key must end by the clock.
    gateway().later(601_000);
    expect([await statusOf(old.key), await statusOf(made2.key)]).toEqual([401, 200]);
    gateway().later(-601_000);
  });

  test('is revoked in its row too once its time has come, because 0.1.0 looks for nothing else', async () => {
    const owner = await newOwner();
    const [due, locked, later] = [await made(owner), await made(owner), await made(owner)];
    for (const { id } of [due, locked, later]) await roll(owner, id, 60);
    const { db } = gateway();
    const past = [due.id, locked.id];
    await db.run(sql`update api_keys set revoke_at = now() - interval '1 s' where id = any(${past}::uuid[])`);
    const rowOf = ({ id }: { id: string }) =>
      db.one<{ revokedAt: Date | null; revokeAt: Date; changedIn: string }>(sql`
        select revoked_at as "revokedAt", revoke_at as "revokeAt", changed_in::text as "changedIn"
        from api_keys where id = ${id}`);
    const before = { due: await rowOf(due), locked: await rowOf(locked), later: await rowOf(later) };
    await db.inTransaction(async (tx) => {
      await lockKey(tx, locked.id);
      await Promise.all([endRolledKeys(gateway()), endRolledKeys(other())]);
    });
    const after = await rowOf(due);
    expect(after).toMatchObject({ revokedAt: before.due.revokeAt, revokeAt: before.due.revokeAt });
    expect(after.changedIn).not.toBe(before.due.changedIn);
    expect(await findActiveKey(db, hashOfKey(due.key))).toBeUndefined();
    expect([await rowOf(locked), await rowOf(later)]).toEqual([before.locked, before.later]);

    await endRolledKeys(other());
    expect((await rowOf(locked)).revokedAt).toEqual(before.locked.revokeAt);
    expect([await rowOf(due), await rowOf(later)]).toEqual([after, before.later]);
    const ended = (await listed(owner)).find(({ id }) => id === due.id);
    expect(ended).toMatchObject({ status: 'REVOKED', endsAt: before.due.revokeAt.toISOString() });
  });

  test('by two clicks at once is rolled once, and both show the same key', async () => {
    const owner = await newOwner();
    const old = await made(owner);
    const externalId = newId();
    const answers = await Promise.all([
      roll(owner, old.id, 60, externalId),
      roll(owner, old.id, 60, externalId, other()),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(answers.map((answer) => read(answer).key)).size).toBe(1);
    expect(await listed(owner)).toHaveLength(2);
  });

  test('by two people at once is rolled once: the other is refused, and makes nothing', async () => {
    const owner = await newOwner();
    const old = await made(owner);
    const answers = await Promise.all([roll(owner, old.id, 60), roll(owner, old.id, 0, newId(), other())]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => Number(a) - Number(b))).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.code).toBe('API_KEY_NOT_ACTIVE');
    expect(await listed(owner)).toHaveLength(2);
  });

  test('while it is revoked ends in any order: the old one is refused', async () => {
    const owner = await newOwner();
    for (let i = 0; i < 4; i++) {
      const old = await made(owner);
      const [rolled, revoked] = await Promise.all([
        roll(owner, old.id, 600),
        ask(owner, 'POST', `/${old.id}/revoke`, undefined, other()),
      ]);
      expect(revoked.status).toBe(200);
      expect([201, 409]).toContain(rolled.status);
      await replicasLook();
      expect(await statusOf(old.key)).toBe(401);
    }
  });

  test('after it was revoked, deleted or rolled is refused', async () => {
    const owner = await newOwner();
    const [revoked, deleted, rolled] = [await made(owner), await made(owner), await made(owner)];
    await ask(owner, 'POST', `/${revoked.id}/revoke`);
    await ask(owner, 'DELETE', `/${deleted.id}`);
    await roll(owner, rolled.id, 60);
    for (const { id } of [revoked, deleted, rolled]) {
      expect(await roll(owner, id, 60)).toMatchObject({ status: 409, code: 'API_KEY_NOT_ACTIVE' });
    }
  });

  test.each([-1, 604_801, 1.5, '60', null])('for %j seconds is refused, and stays', async (seconds) => {
    const owner = await newOwner();
    const { id, key } = await made(owner);
    const answer = await ask(owner, 'POST', `/${id}/roll`, { oldKeyLivesForSeconds: seconds, externalId: newId() });
    expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect(answer.body).toContain('oldKeyLivesForSeconds');
    await replicasLook();
    expect(await statusOf(key)).toBe(200);
    expect(await listed(owner)).toHaveLength(1);
  });
});

describe('the last use of a key', () => {
  const used = async (id: string) =>
    (await gateway().db.one<{ at: Date | null }>(sql`select last_used_at as at from api_keys where id = ${id}`)).at;

  test('is written once a minute at most, comes in the end, and makes nobody forget the key', async () => {
    const owner = await newOwner();
    const { id, key } = await made(owner);
    await gateway().keys.evictChanged();
    const changedIn = async () =>
      (await gateway().db.one<{ n: string }>(sql`select changed_in::text as n from api_keys where id = ${id}`)).n;
    const before = await changedIn();
    const write = () => writeKeyUses({ db: gateway().db, keyUses: gateway().keyUses });
    await statusOf(key);
    await write();
    const first = await used(id);
    expect((await listed(owner))[0]?.lastUsedAt).toBe(first?.toISOString());
    gateway().later(30_000);
    await statusOf(key);
    await write();
    expect(await used(id)).toEqual(first);
    gateway().later(31_000);
    await write();
    expect(Number(await used(id)) - Number(first)).toBeGreaterThanOrEqual(30_000);
    expect(await changedIn()).toBe(before);
    gateway().later(-61_000);
  });

  test('does not go back where another replica has a newer one', async () => {
    const owner = await newOwner();
    const { id, key } = await made(owner);
    await statusOf(key);
    const newer = new Date(Date.now() + 3_600_000);
    await gateway().db.run(sql`update api_keys set last_used_at = ${newer} where id = ${id}`);
    await writeKeyUses({ db: gateway().db, keyUses: gateway().keyUses });
    expect(await used(id)).toEqual(newer);
  });
});
