import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Links between our own pages, and to files of the repository, that lead nowhere. One sentence for each. */
export function brokenLinks(root: string): string[] {
  const pages = globSync('**/*.md', { cwd: root, exclude: ['**/node_modules', '.stack'] }).toSorted();
  return pages.flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    return targets
      .filter(
        (target) => !/^(?:[a-z]+:|#)/.test(target) && !leadsSomewhere(path.join(root, path.dirname(file)), target),
      )
      .map((target) => `${file}: the link to ${target} leads nowhere.`);
  });
}

function leadsSomewhere(folder: string, target: string): boolean {
  const [file = ''] = target.split('#', 1);
  return existsSync(path.join(folder, file));
}
