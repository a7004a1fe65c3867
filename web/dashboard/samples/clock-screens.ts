import type { Language } from '@cobro/html/language.ts';
import { clockPage } from '../src/clock/clock-page.ts';
import type { Screen } from './payment-screens.ts';
import { sampleFrame } from './sample-frame.ts';

/** The screens of the demo's clock, by a name for tests and pictures. */
export function clockScreens(language: Language): Record<string, Screen> {
  const now = new Date('2026-12-01T04:59:00.000Z');
  const frame = { ...sampleFrame(language, '/clock'), clockNow: now };
  const times = { now, realNow: new Date('2026-11-25T18:04:00.000Z') };
  return {
    clock: { frame, content: clockPage(frame, { ...times, problem: null }) },
    'clock-unavailable': { frame, content: clockPage(frame, { ...times, problem: 'unavailable' }) },
  };
}
