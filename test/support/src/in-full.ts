/** True in `npm run test:all`, which runs more and longer tests than `npm test`. */
export const inFull = process.env['TEST_ALL'] === '1';
