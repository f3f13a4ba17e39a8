/**
 * Returns the differences in form between a JSON response and the documented one: missing fields, undocumented fields,
 * and different types. Null matches every type, and the values may differ.
 */
export function findShapeProblems(documented: unknown, actual: unknown, path = 'response'): readonly string[] {
  if (documented === null || actual === null) return [];
  if (getJsonType(documented) !== getJsonType(actual))
    return [`${path} is ${getJsonType(actual)}, documented as ${getJsonType(documented)}`];
  if (Array.isArray(documented) && Array.isArray(actual)) {
    if (documented.length === 0) return [];
    return actual.length === 0 ? [`${path} is empty`] : findShapeProblems(documented[0], actual[0], `${path}[0]`);
  }
  if (isRecord(documented) && isRecord(actual)) {
    const names = [...new Set([...Object.keys(documented), ...Object.keys(actual)])];
    return names.flatMap((name) => {
      if (!(name in actual)) return [`${path}.${name} is missing`];
      if (!(name in documented)) return [`${path}.${name} is not documented`];
      return findShapeProblems(documented[name], actual[name], `${path}.${name}`);
    });
  }
  return [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function getJsonType(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}
