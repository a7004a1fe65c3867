/** Why a payment was declined although the bank was not asked, or never saw the charge. Code that decides by it handles each one. */
export type OwnDeclineCode = 'not_processed' | 'bank_unavailable' | 'terms_not_available' | 'fee_channel_unknown';
