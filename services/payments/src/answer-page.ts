import { ok } from '@cobro/service-kit/answer.ts';

/** Answers a page. A `count` above `most` is answered as `most`, with X-Count-Capped; without `most`, no count is capped. */
export function answerPage<Page extends { count: number }>(page: Page, most = Number.POSITIVE_INFINITY) {
  const count = Math.min(page.count, most);
  const answer = ok({ ...page, count });
  return page.count > count ? { ...answer, headers: { 'X-Count-Capped': 'true' } } : answer;
}
