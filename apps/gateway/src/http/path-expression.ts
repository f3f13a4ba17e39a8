/** Builds the source of a regular expression for the addresses of an OpenAPI path, such as `/agents/{id}`. */
export function buildPathExpression(path: string): string {
  return `${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`;
}
