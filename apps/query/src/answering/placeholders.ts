export interface PlaceholderValues {
  readonly query: string;
  readonly context: string;
}

/** Replaces `{query}` and `{context}` with their values. Placeholders inside the values are not replaced. */
export function fillPlaceholders(template: string, values: PlaceholderValues): string {
  return template.replace(/\{(query|context)\}/g, (_, name: keyof PlaceholderValues) => values[name]);
}

export function hasPlaceholder(template: string, name: keyof PlaceholderValues): boolean {
  return template.includes(`{${name}}`);
}
