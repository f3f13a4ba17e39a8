/** Maximum number of items whose names are loaded. */
const MAX_ITEMS = 500;

/** Loads the names in a list of the API, page after page. */
export async function loadNames(list: AsyncIterable<{ readonly name: string }>): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of list) {
    names.push(name);
    if (names.length === MAX_ITEMS) break;
  }
  return names;
}
