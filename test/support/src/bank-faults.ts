import { putJson } from './put-json.ts';

/** Sets what goes wrong at the bank simulator, as the body of its `PUT /faults`; `{}` is no fault. @throws if the bank refuses it */
export const setFaults = (bankUrl: string, faults: object): Promise<void> => putJson(`${bankUrl}/faults`, faults);
