/** What the package exports. */
export * from './api.ts';
export type { Call, CallOptions, Identity, Options } from './call.ts';
export { type Client, createClient, type MerchantOptions } from './merchant.ts';
export { createPartner, type PartnerOptions } from './partner.ts';
export { NoAnswerError, type Refusal, type RefusalCode, RefusalError, type Result } from './refusal.ts';
export { NotSettledError, type SettleOptions, type Settling } from './settling.ts';
export { createTerminal, type TerminalOptions } from './terminal.ts';
export type { CursorPage, Walk } from './walk.ts';
export { type WebhookHeaders, webhooks, WebhookVerificationError } from './webhooks.ts';
