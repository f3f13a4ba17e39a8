/**
 * Parses the value of an option that selects some of the names in `known`, separated by commas. Ignores empty parts.
 *
 * @param option name of the option without dashes, for the error message
 * @returns the selected names in the order of `known`
 * @throws Error if the value contains another name
 */
export function parseNames<Name extends string>(option: string, text: string, known: readonly Name[]): readonly Name[] {
  const names = splitList(text);
  const unknown = names.filter((name) => !known.some((each) => each === name));
  if (unknown.length > 0)
    throw new Error(`expected only ${known.join(', ')} in --${option}, found ${unknown.join(', ')}`);
  return known.filter((each) => names.includes(each));
}

/**
 * Parses the value of an option that is a decimal number of at least 0.
 *
 * @param option name of the option without dashes, for the error message
 * @throws Error if the value is not such a number, because a loop up to NaN would measure nothing
 */
export function parseNumber(option: string, text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`expected a number in --${option}, found ${JSON.stringify(text)}`);
  return Number(text);
}

/** Parses the value of an option that is a list of numbers, separated by commas. Ignores empty parts. */
export function parseNumbers(option: string, text: string): readonly number[] {
  return splitList(text).map((part) => parseNumber(option, part));
}

function splitList(text: string): readonly string[] {
  return text.split(',').filter((part) => part !== '');
}
