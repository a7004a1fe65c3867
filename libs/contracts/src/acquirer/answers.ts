import { z } from 'zod';
import { identifier } from './operation-requests.ts';

/** The fields that we read of an answer; others are ignored. Texts are shown to people, so their length is bounded. */
const time = z.iso.datetime().meta({ description: 'When the acquirer decided, in UTC.' });
const shown = z.string().max(500).nullable();
const said = {
  time,
  authCode: shown.meta({ description: 'Authorization code of the issuer.' }),
  resultCode: shown.meta({ description: 'Response code of the network, as ISO 8583 has it.' }),
  text: shown.meta({ description: 'What a receipt shows.' }),
};

/** What identifies a card to people. */
const shownCard = {
  lastFourDigits: z.string().regex(/^\d{4}$/),
  network: z.string().regex(/^[\w -]{1,64}$/),
  fundingSource: z
    .string()
    .regex(/^[\w -]{1,64}$/)
    .meta({ description: 'CREDIT, DEBIT or PREPAID.' }),
  issuingBank: z.string().min(1).max(500),
};

export const approved = z
  .looseObject({
    outcome: z.literal('approved'),
    reference: identifier,
    ...said,
    amount: z.int().positive().optional().meta({
      description: 'What a sale has charged, in centavos. Not said: what was asked for.',
    }),
    card: z.looseObject(shownCard).optional().meta({
      description: 'The card that a sale has charged, as its token was answered. Not said: the one that was asked for.',
    }),
  })
  .meta({ id: 'Approved' });

const authorized = z
  .looseObject({
    outcome: z.literal('approved'),
    reference: identifier,
    ...said,
    captureBefore: time.nullable().meta({
      description:
        'When the network lets go of the money. Null where nobody says; then it is the end of the seventh natural day.',
    }),
  })
  .meta({ id: 'Authorized' });

export const tokenized = z
  .looseObject({
    outcome: z.literal('approved'),
    token: identifier,
    ...shownCard,
    time,
  })
  .meta({ id: 'Tokenized' });

/** Decline codes that have one meaning everywhere. Any other code is shown to the merchant as it is. */
export const declineCodes = {
  do_not_honor: 'The issuer says no and no more.',
  insufficient_funds: 'The card has not enough money.',
  expired_card: 'The card’s month has passed.',
  invalid_number: 'No card has this number.',
  unsupported_network: 'The acquirer does not take cards of this network.',
  stolen_card: 'The card was reported stolen.',
  lost_card: 'The card was reported lost.',
  pickup_card: 'The issuer wants the card back.',
  do_not_try_again: 'The issuer says no to this and every further charge.',
  revocation_of_authorization: 'The cardholder has told the issuer to stop these charges.',
  transaction_not_allowed: 'The card is not good for such charges.',
  authentication_required: 'The issuer wants the cardholder to confirm, which is not built.',
  unknown_token: 'The acquirer has never given this token.',
  token_spent: 'The token was good for one attempt, and has been used.',
  unknown_reference: 'The acquirer has never given this reference.',
  amount_exceeds_authorization: 'A capture above what is authorized.',
  amount_exceeds_captured: 'A refund above what is left of the charge.',
  not_captured: 'A refund of an authorization that was not captured.',
  already_captured: 'The authorization was captured before.',
  already_voided: 'The authorization was voided before.',
  expired: 'A capture after the network has let go of the money.',
  already_expired: 'A void after the network has let go of the money.',
  key_closed: 'An inquiry has closed this key. Nothing was done under it, and nothing ever will be.',
} as const;
export type KnownDeclineCode = keyof typeof declineCodes;

export const declined = z
  .looseObject({
    outcome: z.literal('declined'),
    declineCode: z
      .string()
      .regex(/^[\w.-]{1,64}$/)
      .meta({
        description: Object.entries(declineCodes)
          .map(([code, means]) => `\`${code}\`: ${means}`)
          .join(' '),
      }),
    reference: identifier.nullable(),
    ...said,
  })
  .meta({ id: 'Declined' });

const answerOf = <S extends z.ZodObject>(approval: S) => z.union([approval, declined]);

/** The answer with status 200 to each operation, by its kind. */
export const operationAnswers = {
  tokenize: answerOf(tokenized),
  authorize: answerOf(authorized),
  sale: answerOf(approved),
  capture: answerOf(approved),
  void: answerOf(approved),
  refund: answerOf(approved),
};

const inProgress = z.looseObject({ outcome: z.literal('in_progress') }).meta({ id: 'InProgress' });
export const notFound = z
  .looseObject({
    outcome: z.literal('not_found'),
    closed: z.boolean().meta({ description: 'Whether the key is closed, so that this is final.' }),
  })
  .meta({ id: 'NotFound' });

/** Answer of `POST /v1/inquiries`: the operation's answer again, or why there is none. */
export const inquiryAnswer = z.union([tokenized, authorized, approved, declined, inProgress, notFound]);
