/** Builds the source of a regular expression that matches paths such as `/agents/a1` for the path `/agents/{id}`. */
export function buildPathExpression(path: string): string {
  return `${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`;
}
