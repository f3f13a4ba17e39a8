/** Holds the values that replace `{query}` and `{context}` in a prompt template. */
export interface PlaceholderValues {
  readonly query: string;
  readonly context: string;
}

/** Replaces each `{query}` and `{context}` in a prompt template. Placeholders inside the inserted values are not replaced. */
export function fillPlaceholders(template: string, values: PlaceholderValues): string {
  return template.replace(/\{(query|context)\}/g, (_, name: keyof PlaceholderValues) => values[name]);
}

/** Returns whether a prompt template contains `{query}` or `{context}`. */
export function hasPlaceholder(template: string, name: keyof PlaceholderValues): boolean {
  return template.includes(`{${name}}`);
}
