import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Secret } from '@cobro/contracts/secret.ts';
import { reseal, seal, unseal } from './seal.ts';

const newKey = () => new Secret(randomBytes(32));
const key = [newKey()] as const;
const token = new Secret('tok_ñandú');

describe('a sealed value', () => {
  test('opens where it was sealed', () => {
    expect(unseal(key, 'card 1', seal(key, 'card 1', token)).reveal()).toBe('tok_ñandú');
    expect(unseal(key, '', seal(key, '', new Secret(''))).reveal()).toBe('');
  });

  test('never looks the same twice, nor like its content', () => {
    const [one, other] = [seal(key, 'card 1', token), seal(key, 'card 1', token)];
    expect(one.equals(other)).toBe(false);
    expect(one.toString('latin1')).not.toContain('tok_');
  });

  test('does not open in another place or with another key', () => {
    const sealed = seal(key, 'card 1', token);
    expect(() => unseal(key, 'card 2', sealed)).toThrow('unable to authenticate');
    expect(() => unseal([newKey(), newKey()], 'card 1', sealed)).toThrow('unable to authenticate');
  });

  test('does not open with any byte changed, or cut off', () => {
    const sealed = seal(key, 'card 1', token);
    for (let position = 0; position < sealed.length; position++) {
      const changed = Buffer.from(sealed);
      changed[position] = (changed[position] ?? 0) ^ 1;
      expect(() => unseal(key, 'card 1', changed)).toThrow('unable to authenticate');
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => unseal(key, 'card 1', sealed.subarray(0, length))).toThrow(/unable to authenticate|Invalid/);
    }
  });

  test('opens with any key of the ring, and is sealed anew only where the first key has not sealed it', () => {
    const [next, third] = [newKey(), newKey()];
    const sealed = seal(key, 'card 1', token);
    expect(unseal([next, third, key[0]], 'card 1', sealed).reveal()).toBe('tok_ñandú');
    expect(reseal([key[0], next], 'card 1', sealed)).toBeUndefined();
    const anew = reseal([next, key[0]], 'card 1', sealed);
    expect(unseal([next], 'card 1', anew as Buffer).reveal()).toBe('tok_ñandú');
    expect(() => reseal([next, third], 'card 1', sealed)).toThrow('unable to authenticate');
    expect(() => reseal([next, key[0]], 'card 2', sealed)).toThrow('unable to authenticate');
  });
});
