import { html } from '@cobro/html/html.ts';
import type { Messages } from './messages.ts';

const nothingCharged = 'You were not charged.';

export const en: Messages = {
  otherLanguage: { language: 'es', name: 'Español' },
  payTitle: (merchant, amount) => `Pay ${amount} to ${merchant}`,
  errorTitle: (title) => `Check: ${title}`,
  payTo: 'You are paying',
  encrypted: 'Encrypted connection',
  availableUntil: (time) => `You can pay until ${time}.`,
  sections: { card: 'Card', terms: 'How to pay', payer: 'Your details', more: 'Phone and address' },
  fields: {
    number: 'Card number',
    expiry: 'Expiry',
    cvc: 'Security code',
    holderName: 'Name on card',
    terms: 'How to pay',
    email: 'Email',
    firstName: 'First name',
    lastName: 'Last name',
    phoneNumber: 'Phone',
    addressLine: 'Street, number and neighborhood',
    city: 'City',
    state: 'State',
    zip: 'Postal code',
  },
  optional: '(optional)',
  expiryExample: 'MM/YY',
  cvcHint: '3 digits on the back (Amex: 4 on the front)',
  networks: 'You can pay with Visa, Mastercard, American Express and Carnet.',
  singlePayment: 'One payment',
  monthly: (terms) => `${terms} monthly payments`,
  lastPayment: (amount) => `the last one ${amount}`,
  perMonth: 'a month',
  installmentsNote: (total) => `Monthly payments are for credit cards only. The total is the same: ${total}.`,
  pay: (amount) => `Pay ${amount}`,
  paying: 'Processing your payment…',
  cardSafety: 'Your card number is handed to the bank’s vault. Neither this page nor the merchant keeps it.',
  backTo: (merchant) => html`Back to ${merchant ?? 'the merchant'}`,
  errors: {
    title: 'Please check these details',
    required: {
      number: 'Enter your card number.',
      expiry: 'Enter the expiry: month and year.',
      cvc: 'Enter the security code.',
      holderName: 'Enter the name as it is on the card.',
      terms: 'Choose how to pay.',
      email: 'Enter your email.',
      firstName: 'Enter your first name.',
      lastName: 'Enter your last name.',
    },
    invalid: {
      number: 'The card number is not valid. Check it.',
      expiry: 'The expiry is not valid: use MM/YY, like 08/29.',
      cvc: 'The security code has 3 digits (Amex: 4).',
      holderName: 'The name on the card is not valid: use at most 255 characters.',
      terms: 'This way to pay is not available. Choose another one.',
      email: 'The email is not valid. Write it as name@example.com.',
      firstName: 'The first name is not valid: use at most 255 characters.',
      lastName: 'The last name is not valid: use at most 255 characters.',
      phoneNumber: 'The phone is not valid: use at most 50 characters.',
      addressLine: 'The address is not valid: use at most 255 characters.',
      city: 'The city is not valid: use at most 255 characters.',
      state: 'The state is not valid: use at most 255 characters.',
      zip: 'The postal code is not valid: use at most 20 characters.',
    },
    expired: 'This card has expired. Check the date.',
    cardNumber: 'The card number does not belong here. For your safety we removed it.',
  },
  declines: {
    generic: {
      title: 'Your bank did not approve the payment',
      text: `${nothingCharged} Try another card, or call your bank at the number on the back of yours.`,
    },
    insufficientFunds: {
      title: 'The card does not have enough funds',
      text: `${nothingCharged} Try another card, or try again when funds are available.`,
    },
    expiredCard: {
      title: 'The card has expired',
      text: `${nothingCharged} Check the expiry or use another card.`,
    },
    wrongCvc: {
      title: 'The security code does not match',
      text: `${nothingCharged} Check the 3 digits on the back (4 on the front of American Express) and try again.`,
    },
    wrongNumber: {
      title: 'Your bank does not recognize this card',
      text: `${nothingCharged} Check the number and the expiry, or use another card.`,
    },
    unsupportedNetwork: {
      title: 'Cards of this network are not accepted here',
      text: `${nothingCharged} Use a Visa, Mastercard, American Express or Carnet card.`,
    },
    notSupported: {
      title: 'This card does not allow this payment',
      text: `${nothingCharged} Use another card, or ask your bank to allow online purchases.`,
    },
    notProcessed: {
      title: 'The bank did not process the payment',
      text: `${nothingCharged} You can try again with the same card.`,
    },
  },
  tooManyAttempts: (minutes) => ({
    title: 'Too many declined attempts',
    text: `${nothingCharged} We pause here to protect cards. Please try again in ${
      minutes === 1 ? 'one minute' : `${minutes} minutes`
    }.`,
  }),
  bankUnavailable: {
    title: 'We could not reach the bank',
    text: `${nothingCharged} Enter the number and the code again, and try once more in a moment.`,
  },
  termsNotAvailable: {
    title: 'This card does not allow monthly payments',
    text: `${nothingCharged} Choose another way to pay, or use a credit card.`,
  },
  cardNotAccepted: {
    title: 'The merchant does not accept this card',
    text: `${nothingCharged} Use another card or choose another way to pay.`,
  },
  amountChanged: {
    title: 'The price has changed',
    text: `${nothingCharged} Look at the new amount. If you want to pay it, enter the card again.`,
  },
  inProgress: {
    title: 'A payment is already under way',
    text: 'Another attempt was made on this link and the bank has not answered yet. This attempt did not charge you. Please wait a moment before you try again.',
  },
  stalePage: {
    title: 'This page was open for a long time',
    text: `${nothingCharged} Enter the card again and try once more.`,
  },
  confirming: {
    title: 'We are confirming your payment',
    text: (merchant) =>
      html`The bank has yet to answer about your payment to ${merchant}. This page goes on by itself.`,
    dontPayAgain: 'There is no need to pay again. You can leave this page open or come back later.',
    refresh: 'Check now',
  },
  paid: {
    title: 'Payment complete',
    to: (merchant) => html`to ${merchant}`,
    description: 'For',
    date: 'Date',
    card: 'Card',
    cardEnding: (network, lastFourDigits) => `${network} ending in ${lastFourDigits}`,
    terms: 'How paid',
    installments: (terms, each) => `${terms} monthly payments of ${each}`,
    operationCode: 'Operation code',
    keep: 'Keep the operation code in case you have a question about this payment.',
    print: 'Print receipt',
  },
  closed: {
    'already-paid': {
      title: 'This link has been paid',
      text: 'The merchant has received this payment, and it cannot be paid again. If it was not you, please ask the merchant.',
    },
    cancelled: {
      title: 'This link was cancelled',
      text: 'The merchant cancelled this payment, and it can no longer be paid. If you expected to pay it, ask for a new link.',
    },
    expired: {
      title: 'This link has expired',
      text: 'The time to pay is over. Ask the merchant for a new link.',
    },
    inactive: {
      title: 'This link takes no payments now',
      text: 'The merchant has switched it off, and nothing can be paid here. If you expected to pay, please ask the merchant.',
    },
    'sold-out': {
      title: 'Sold out',
      text: 'All that could be bought here has been taken, and no more payments are accepted. Ask the merchant whether there will be more.',
    },
    'foreign-origin': {
      title: 'This payment did not come from our page',
      text: 'The details came from another site and we did not use them: you were not charged. Pay only on the payment page.',
    },
  },
  openPage: 'Open the payment page',
  nothing: {
    'not-found': {
      title: 'We cannot find this link',
      text: 'Check that the address is complete, or ask whoever sent you the link to send it again.',
    },
    unavailable: {
      title: 'We cannot show this page right now',
      text: 'Please reload this page in a moment. If you had already sent a payment, reloading shows how it ended; you do not pay twice.',
    },
  },
};
