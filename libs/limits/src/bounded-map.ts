/** Puts the entry last. A full map drops its first entry, the oldest. */
export function putLast<V>(map: Map<string, V>, most: number, key: string, value: V): void {
  map.delete(key);
  const [first] = map.keys();
  if (map.size >= most && first !== undefined) map.delete(first);
  map.set(key, value);
}

/** Removes entries from the front until one is not over. */
export function dropFromFront<V>(map: Map<string, V>, isOver: (value: V) => boolean): void {
  for (const [key, value] of map) {
    if (!isOver(value)) return;
    map.delete(key);
  }
}
