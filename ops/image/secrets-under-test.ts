import { printSecrets } from './secrets.ts';

export type Manifest = { metadata: { name: string }; stringData: Record<string, string> };

/** The Secrets that `secrets` prints, parsed. */
export const manifests = (args: string[]) =>
  printSecrets(args)
    .split('---\n')
    .filter(Boolean)
    .map((text) => JSON.parse(text) as Manifest);
