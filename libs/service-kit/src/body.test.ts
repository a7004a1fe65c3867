import type { BodyContract } from '@cobro/contracts/route.ts';
import { expect, test } from '@jest/globals';
import type { Request } from 'express';
import { z } from 'zod';
import { unreadBody } from './body.ts';

const json: BodyContract = { json: z.unknown() };
const form: BodyContract = { form: z.unknown() };
const read = (contract: BodyContract, body: Buffer) => unreadBody(contract, { body } as Request);
const bytes = (text: string) => Buffer.from(text, 'latin1');
const refusal = (path: string, message: string) =>
  expect.objectContaining({ code: 'VALIDATION_ERROR', extras: { message, details: [{ path, message }] } });

test.each([
  [json, '{"externalId":"k\xe1"}'],
  [json, '{"externalId":"k\xf1"}'],
  [json, '{"externalId":"\xed\xa0\x80"}'],
  [json, '{"externalId":"\xc0\x80"}'],
  [json, '{"externalId":"\xc3"}'],
  [form, 'firstName=Jos\xe1'],
])('bytes that are no UTF-8 are refused, because two different texts would be one', (contract, text) => {
  expect(() => read(contract, bytes(text))).toThrow(refusal('', 'The body is not UTF-8.'));
});

test('what is UTF-8 is read', () => {
  expect(read(json, Buffer.from('{"externalId":"ká 🦊"}'))).toEqual({ externalId: 'ká 🦊' });
  expect(read(form, Buffer.from('firstName=José'))).toEqual({ firstName: 'José' });
});

test('malformed JSON is refused with details, as every other body', () => {
  expect(() => read(json, bytes('{'))).toThrow(refusal('', 'The body is not valid JSON.'));
});
