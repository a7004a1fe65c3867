import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

/** Jest runs the .ts files as Node does: types stripped, nothing else changed, so stack lines stay exact. */
export default {
  getCacheKey: (source, file) => createHash('sha1').update(`${process.version}\0${file}\0${source}`).digest('hex'),
  process: (source) => ({ code: stripTypeScriptTypes(source, { mode: 'strip' }) }),
};
