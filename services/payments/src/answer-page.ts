import { ok } from '@cobro/service-kit/answer.ts';

/** Answers a page whose rows were counted to one more than the most that are shown; all of them where that is not given. */
export function answerPage<Page extends { count: number }>(page: Page, most = Number.POSITIVE_INFINITY) {
  const count = Math.min(page.count, most);
  const answer = ok({ ...page, count });
  return page.count > count ? { ...answer, headers: { 'X-Count-Capped': 'true' } } : answer;
}
