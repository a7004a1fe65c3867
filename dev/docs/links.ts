import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Links in our pages to a page, heading or file that does not exist. One sentence for each. */
export function brokenLinks(root: string): string[] {
  const pages = globSync('**/*.md', { cwd: root, exclude: ['**/node_modules', '.stack'] }).toSorted();
  const anchors = new Map<string, Set<string>>();
  function leadsSomewhere(page: string, target: string): boolean {
    const [file = '', anchor] = target.split('#', 2);
    const at = file === '' ? page : path.join(path.dirname(page), file);
    if (!existsSync(at)) return false;
    if (anchor === undefined || !at.endsWith('.md')) return true;
    const known = anchors.get(at) ?? anchorsOf(readFileSync(at, 'utf8'));
    anchors.set(at, known);
    return known.has(anchor);
  }
  return pages.flatMap((file) => {
    const page = path.join(root, file);
    const targets = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    return targets
      .filter((target) => !/^[a-z]+:/.test(target) && !leadsSomewhere(page, target))
      .map((target) => `${file}: the link to ${target} leads nowhere.`);
  });
}

/** The anchors of a page's headings, as GitHub makes them. Code blocks are skipped, because their comments look like headings. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replaceAll(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm);
  const name = (heading: string) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
  return new Set([...headings].map(([, heading = '']) => name(heading)));
}
