/** Whether this is `npm run test:all`, whose tests are longer and more than those of `npm test`. */
export const inFull = process.env['TEST_ALL'] === '1';
