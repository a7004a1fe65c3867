import { describe, expect, test } from '@jest/globals';
import { newId } from './ids.ts';
import { outwardEvents, outwardId, outwardTypes, typePattern, typesIn } from './outward-events.ts';

describe('the id of an outward event', () => {
  test('is a UUID v8 that follows from object and type, and begins as the object’s id', () => {
    const objectId = newId();
    const id = outwardId(objectId, 'payment.confirmed');
    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(id.slice(0, 13)).toBe(objectId.slice(0, 13));
    expect(outwardId(objectId, 'payment.confirmed')).toBe(id);
    const others = [outwardId(objectId, 'payment.refunded'), outwardId(newId(), 'payment.confirmed')];
    expect(new Set([id, ...others]).size).toBe(3);
  });

  test('is the same in every release', () => {
    expect(outwardId('019ab000-0000-7000-8000-000000000001', 'hold.placed')).toBe(
      '019ab000-0000-8919-881c-85ad4604d827',
    );
  });
});

describe('a type', () => {
  test('is named after its family and what happened', () => {
    for (const type of outwardTypes) expect(type).toMatch(/^[a-z_]+\.[a-z_]+$/);
    for (const { means } of Object.values(outwardEvents)) expect(means).toMatch(/\.$/);
  });

  test('is named by itself or by its family', () => {
    expect(typesIn(['hold.placed'])).toEqual(['hold.placed']);
    expect(typesIn(['hold.*', 'payment.declined'])).toEqual(
      outwardTypes.filter((type) => type.startsWith('hold.') || type === 'payment.declined'),
    );
    expect(typesIn(['payment.*'])).not.toContain('payment_intent.confirmed');
    for (const wrong of ['*', 'hold', 'hold.lost', 'payment*'])
      expect(typePattern.safeParse(wrong).success).toBe(false);
  });
});
