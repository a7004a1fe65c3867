export type Json = Record<string, unknown>;
export interface Reply {
  status: number;
  body: Json;
}
/** Asks localstripe itself. */
export type Ask = (method: string, path: string, form?: URLSearchParams) => Promise<Reply>;

export const openLocalstripe =
  (url: string): Ask =>
  async (method, path, form) => {
    const headers = { authorization: 'Bearer sk_test_rules' };
    const answer = await fetch(url + path, { method, headers, ...(form && form.size > 0 && { body: form }) });
    return { status: answer.status, body: (await answer.json()) as Json };
  };

export const failed = (status: number, error: Json): Reply => ({ status, body: { error } });
export const invalid = (code: string | undefined, message: string, more: Json = {}): Reply =>
  failed(400, { type: 'invalid_request_error', message, ...(code !== undefined && { code }), ...more });

/** The form without these parameters, which localstripe does not know. */
export const without = (form: URLSearchParams, ...names: string[]): URLSearchParams =>
  new URLSearchParams([...form].filter(([name]) => !names.some((one) => name === one || name.startsWith(`${one}[`))));
