/**
 * Card numbers whose behaviour the bank simulator knows. A card shows its behaviour only when it is used. Any other number that
 * passes the Luhn check is approved, except that numbers beginning with 40009 are declined.
 */
export const testCards = {
  approved: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  stolen: '4000000000009979',
  captureDeclined: '4000000000000341',
  refundDeclined: '4000000000005126',
  shortWindow: '4000000000004202',
  letGoEarly: '4000000000004210',
  slow: '4000000000007775',
  silentDone: '4000000000006660',
  silentNotDone: '4000000000006678',
  error: '4000000000000119',
  mastercardDebit: '5200828282828210',
  amexCredit: '378282246310005',
} as const;
