import { z } from 'zod';

/** Every answer other than 200: its status, and what it means for the operation. */
export const problems = {
  bad_request: [400, 'The request is not in its form. Nothing was done.'],
  refused: [
    400,
    'The acquirer does not do this: an amount, terms or a card outside its capabilities. Nothing was done, and the key is closed by it.',
  ],
  unauthorized: [401, 'The bearer token is missing or wrong. Nothing was done.'],
  not_found: [404, 'There is no such path.'],
  in_progress: [409, 'The same request is running under this key. An acquirer may also let the repeat wait.'],
  too_large: [413, 'The body is longer than 64 KiB. Nothing was done.'],
  key_reused: [422, 'Another request was sent under this key before. Nothing was done by this one.'],
  internal: [500, 'Nobody knows what was done. An inquiry will say.'],
  retry: [503, 'Nothing was done, and the key is closed by it. The same may be asked again under a new key.'],
} as const;
export type Problem = keyof typeof problems;

/** The body of every answer other than 200. */
export const problemBody = z.looseObject({
  error: z.enum(Object.keys(problems) as [Problem, ...Problem[]]),
  message: z.string(),
});
