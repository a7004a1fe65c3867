/** Why a payment was declined although the bank was not asked, or never saw the charge. Whoever decides by it names all of them. */
export type OwnDeclineCode = 'not_processed' | 'bank_unavailable' | 'terms_not_available' | 'fee_channel_unknown';
