import { putJson } from './put-json.ts';

/** Sets what goes wrong at the bank simulator, as the body of its `PUT /faults`; `{}` is nothing. @throws where it is refused */
export const setFaults = (bankUrl: string, faults: object): Promise<void> => putJson(`${bankUrl}/faults`, faults);
