import { textFieldsOf, type TextField } from '@cobro/testing/text-fields.ts';
import { describe, expect, test } from '@jest/globals';
import { captureBody } from './payments.ts';
import type { RouteContract } from './route.ts';
import { mainContracts, nameOf, partnerContracts } from './routes.ts';
import { externalId, opaque, phoneNumber, refuseCardData, requiredExternalId } from './text.ts';
import { testCards } from './test-cards.ts';
import { validate } from './validation.ts';

const NUMBER = testCards.approved;
const inWords = (number: string) => `call ${number.replaceAll(/(?<=^(?:\d{4})+)(?=\d)/g, '-')} please`;
const cardData = [NUMBER, inWords(NUMBER), testCards.amexCredit, 'cvc 8467'];

/** The texts that an outside caller may send. The page reads the form's fields; its tests send it card data. */
const fieldsOf = ({ query, body }: RouteContract): TextField[] =>
  [query, body && 'json' in body ? body.json : undefined].flatMap((schema) => (schema ? textFieldsOf(schema) : []));

const accepts = ({ schema }: TextField, text: string) => schema.safeParse(text).success;
const isAnyOf = (...kinds: { def: unknown }[]) => {
  const defs = new Set(kinds.flatMap(defsIn));
  return ({ schema }: TextField) => defs.has(schema.def);
};
/** The schema's own definition, and those of the schemas that it wraps. */
const defsIn = ({ def }: { def: unknown }): unknown[] => {
  const { innerType, in: before } = def as Record<string, { def: unknown } | undefined>;
  return [def, ...[innerType, before].flatMap((inner) => (inner ? defsIn(inner) : []))];
};

/** The kinds of text that may hold card data; interface-decisions.md, "card numbers in text". */
const isCard = ({ path, isName }: TextField) => path[0] === 'card' && !isName;
const isUnstored = isAnyOf(opaque);
const isExternalId = isAnyOf(externalId, requiredExternalId);
const isPhoneNumber = isAnyOf(phoneNumber);
/** Validated as an amount later. */
const isAmount = isAnyOf(captureBody.shape.amount);

const outside = [...mainContracts, ...partnerContracts];
const routes = outside.map((contract) => [nameOf(contract), contract] as const);

describe('card data in a request', () => {
  test.each(routes)('are refused in every text that %s takes', (_, contract) => {
    const open = fieldsOf(contract)
      .filter((field) => !isCard(field) && !isUnstored(field) && !isExternalId(field) && !isAmount(field))
      .flatMap((field) =>
        cardData
          .filter((text) => !(isPhoneNumber(field) && text === testCards.amexCredit))
          .filter((text) => accepts(field, text))
          .map((text) => `${field.path.join('.')}: ${text}`),
      );
    expect(open).toEqual([]);
  });

  test('are taken where they are of the card', () => {
    const [holderName, emv] = ['card.holderName', 'card.emv.*'].map((name) =>
      outside.flatMap(fieldsOf).filter(({ path, isName }) => path.join('.') === name && !isName),
    );
    for (const field of [...(holderName ?? []), ...(emv ?? [])]) expect(accepts(field, NUMBER)).toBe(true);
    expect(holderName?.length).toBe(3);
    expect(emv?.length).toBe(1);
  });

  test('were looked for in fields of every kind', () => {
    const all = outside.flatMap(fieldsOf);
    for (const kind of [isCard, isUnstored, isExternalId, isPhoneNumber, isAmount]) {
      expect(all.filter(kind).length).toBeGreaterThan(0);
    }
    const names = all.map(({ path }) => path.join('.'));
    for (const name of [
      'description',
      'reason',
      'billingInformation.address.zip',
      'redirectUrl',
      'search',
      'card.emv.*',
    ]) {
      expect(names).toContain(name);
    }
  });

  test('in an externalId are refused when the externalId is new, and the caller is told what to do', () => {
    for (const text of cardData) {
      expect(() => refuseCardData(text)).toThrow(
        expect.objectContaining({
          status: 400,
          code: 'VALIDATION_ERROR',
          message: 'externalId: must not contain a card number or security code: put a letter before it.',
        }),
      );
    }
    for (const text of [undefined, 'order-1', `A${NUMBER}`]) expect(() => refuseCardData(text)).not.toThrow();
  });

  test.each(
    outside.flatMap((contract) => ('json' in (contract.body ?? {}) ? [[nameOf(contract), contract] as const] : [])),
  )('are repeated by no refusal of %s, also where they are the names of fields', (_, { body }) => {
    const { json } = body as { json: Parameters<typeof textFieldsOf>[0] };
    for (const text of cardData) {
      const names = { [text]: 1, card: { [text]: 1, emv: { [text]: '00' } }, billingInformation: { [text]: 1 } };
      for (const sent of [names, { externalId: text, description: text, reason: text, card: text }, text, [text]]) {
        const refused = catchOf(() => validate(json, sent));
        expect(refused?.replaceAll(/emv tag.*|\d+ (?:characters|digits)/g, '') ?? '').not.toMatch(/8467|(?:\d\D?){12}/);
      }
    }
  });
});

function catchOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return JSON.stringify([(error as Error).message, (error as { extras?: unknown }).extras]);
  }
  return undefined;
}
