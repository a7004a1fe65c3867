import { ok } from '@cobro/service-kit/answer.ts';

/** Answers a page of a list. A `count` above `most` becomes `most`, with X-Count-Capped. */
export function answerPage<Page extends { count: number }>(page: Page, most = Number.POSITIVE_INFINITY) {
  const count = Math.min(page.count, most);
  const answer = ok({ ...page, count });
  return page.count > count ? { ...answer, headers: { 'X-Count-Capped': 'true' } } : answer;
}
