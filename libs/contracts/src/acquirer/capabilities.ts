import { z } from 'zod';
import { mostCentavos } from './operation-requests.ts';

const count = z.int().min(0);

/** Answer of `GET /v1/capabilities`: what this acquirer can do. Its answer must not wait for another system. */
export const capabilities = z
  .looseObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,39}$/)
      .meta({ description: 'Name of the acquirer: small letters, digits and dashes.' }),
    protocol: z.literal(1),
    live: z.boolean().meta({ description: 'Whether real cards are charged here.' }),
    cardPresent: z.boolean().meta({ description: 'Whether it takes cards at a terminal (`entryMode`).' }),
    terms: z
      .array(z.int().min(1).max(99))
      .refine((terms) => terms.includes(1), { error: 'must have 1' })
      .meta({ description: 'Numbers of monthly installments that a sale may have. 1 is always there.' }),
    minimumPerTerm: count.meta({ description: 'Least centavos of each installment, where a sale has more than one.' }),
    minimumAmount: z
      .int()
      .min(1)
      .max(mostCentavos)
      .meta({ description: 'Least centavos of an authorization or a sale.' }),
    maximumAmount: z
      .int()
      .min(1)
      .max(mostCentavos)
      .meta({ description: 'Most centavos of an authorization or a sale.' }),
    installments: z.enum(['AT_ONCE', 'MONTHLY']).meta({
      description: 'When the merchant gets the money of a sale in installments: all of it at once, or month by month.',
    }),
    inquiry: z.enum(['close', 'read']).meta({
      description:
        '`close`: an inquiry with `close: true` makes `not_found` final. `read`: nothing is ever closed, and a person decides.',
    }),
    keepsKeysDays: z
      .int()
      .min(1)
      .nullable()
      .meta({ description: 'For how many days a key is remembered. Null: for ever.' }),
    settlementReport: z.boolean().meta({ description: 'Whether `GET /v1/settlement-report` answers.' }),
    recurring: z.boolean().optional().meta({ description: 'Whether a sale may be marked `recurring`. Not said: no.' }),
    networks: z
      .array(z.string().regex(/^[\w -]{1,64}$/))
      .min(1)
      .meta({ description: 'Networks of the cards that it takes, as `network` of a token names them.' }),
  })
  .meta({ id: 'Capabilities' });
export type Capabilities = z.output<typeof capabilities>;
