export interface PlaceholderValues {
  readonly query: string;
  readonly context: string;
}

/** Puts the values in the places of `{query}` and `{context}`. What a value says is never read for placeholders again. */
export function fillPlaceholders(template: string, values: PlaceholderValues): string {
  return template.replace(/\{(query|context)\}/g, (_, name: keyof PlaceholderValues) => values[name]);
}

export function hasPlaceholder(template: string, name: keyof PlaceholderValues): boolean {
  return template.includes(`{${name}}`);
}
