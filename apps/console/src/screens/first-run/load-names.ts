/** Maximum number of names that `loadNames` loads. */
const MAX_ITEMS = 500;

/** Loads the names of the items of an API list, up to `MAX_ITEMS`. */
export async function loadNames(list: AsyncIterable<{ readonly name: string }>): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of list) {
    names.push(name);
    if (names.length === MAX_ITEMS) break;
  }
  return names;
}
