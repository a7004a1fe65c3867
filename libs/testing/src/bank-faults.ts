/** Sets what goes wrong at the bank simulator, as the body of its `PUT /faults`; `{}` is nothing. @throws where it is refused */
export async function setFaults(bankUrl: string, faults: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${bankUrl}/faults`, { method: 'PUT', headers, body: JSON.stringify(faults) });
  if (answer.status !== 200) throw new Error(`the bank refused these faults with ${answer.status}`);
}
