/** By turns a document key and the hash of its version. Objects and lists of pairs take longer to write and to read. */
export function listOfVersions(versions: ReadonlyMap<string, string>): readonly string[] {
  const list: string[] = [];
  for (const [key, version] of versions) list.push(key, version);
  return list;
}

export function versionsIn(list: readonly string[]): Map<string, string> {
  const versions = new Map<string, string>();
  for (let at = 0; at + 1 < list.length; at += 2) versions.set(list[at] ?? '', list[at + 1] ?? '');
  return versions;
}
