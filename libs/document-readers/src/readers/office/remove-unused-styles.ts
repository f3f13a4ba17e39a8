const STYLE = /<w:style\s([^>]*)(?<!\/)>.*?<\/w:style>/gs;
const ID = /\sw:styleId=["']([^"']*)["']/;
const IS_DEFAULT = /\sw:default=["'](?:1|true|on)["']/;
/** Matches references to a style: in paragraphs, runs, tables, list levels and other styles. */
const REFERENCE = /<w:(?:pStyle|rStyle|tblStyle|basedOn|link|numStyleLink)\s+w:val=["']([^"']*)["']/g;

/**
 * Removes style definitions that no text uses, because most Word documents define hundreds of styles.
 *
 * @param styles XML of the styles
 * @param texts XML of the parts that use the styles
 */
export function removeUnusedStyles(styles: string, texts: readonly string[]): string {
  const byId = new Map<string, string>();
  const used = new Set<string>();
  for (const [element, attributes = ''] of styles.matchAll(STYLE)) {
    const id = getStyleId(attributes);
    if (id === undefined) continue;
    byId.set(id, element);
    if (IS_DEFAULT.test(` ${attributes}`)) used.add(id);
  }
  for (const text of texts) for (const id of findReferencedStyleIds(text)) used.add(id);
  // The loop also visits the ids that it adds to `used`.
  for (const id of used) for (const other of findReferencedStyleIds(byId.get(id) ?? '')) used.add(other);
  return styles.replace(STYLE, (element, attributes: string) => {
    const id = getStyleId(attributes);
    return id === undefined || used.has(id) ? element : '';
  });
}

function getStyleId(attributes: string): string | undefined {
  return ID.exec(` ${attributes}`)?.[1];
}

function findReferencedStyleIds(text: string): readonly string[] {
  return Array.from(text.matchAll(REFERENCE), ([, id = '']) => id);
}
