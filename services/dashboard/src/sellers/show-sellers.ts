import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/screen.ts';
import type { Answer } from '../http/visit.ts';
import { sellersWith } from './sellers.ts';

/** GET /sellers: who sells and where, the newest first. */
export const showSellers = (deps: Deps, visit: SignedIn): Promise<Answer> => sellersWith(deps, visit);
