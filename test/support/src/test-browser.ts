export type TestBrowser = ReturnType<typeof openBrowser>;

/** The text of an element or an attribute, as a browser reads it. */
export const unescaped = (html: string): string =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

export interface PageAnswer {
  status: number;
  html: string;
  location: string | null;
  /** The id of a form that makes something once. */
  formId: string;
  headers: Headers;
}

/** A browser as far as HTTP goes: it keeps cookies, and sends forms as a page's own. It follows no redirect. */
export function openBrowser(baseUrl: string, from?: string) {
  const cookies = new Map<string, string>();
  let token = '';
  const send = async (path: string, init: RequestInit): Promise<PageAnswer> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(path, baseUrl), {
      ...init,
      redirect: 'manual',
      headers: { ...(init.headers as object), cookie, ...(from !== undefined && { 'x-forwarded-for': from }) },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const html = await answer.text();
    token = /name="formToken" value="([^"]*)"/.exec(html)?.[1] ?? token;
    const { status, headers } = answer;
    const formId = /name="formId" value="([^"]+)"/.exec(html)?.[1] ?? '';
    return { status, html, location: headers.get('location'), formId, headers };
  };
  return {
    get: (path: string, headers: Record<string, string> = {}) => send(path, { headers }),
    /** Sends the form of the last page, with its token unless `fields` has another. */
    post: (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams({ formToken: token, ...fields }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: baseUrl, ...headers },
      }),
    cookies,
    /** The token of the last page's forms. */
    formToken: () => token,
  };
}
