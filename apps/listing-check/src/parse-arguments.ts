import { parseArgs } from 'node:util';

export interface Arguments {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxItems: number;
  /** True if the endpoint may have a loopback address, for a check of a local server. */
  readonly allowLocal: boolean;
}

export const USAGE = `Usage: quarry-listing-check [options] <url>

Checks an item listing against the contract and prints one line per rule.

  --header "Name: value"   sent with each request; can be repeated
  --items <number>         maximum number of items to read (default: 10000)
  --local                  allow local addresses

Exit status: 0 if no rule failed, 1 if a rule failed, 2 if the arguments are invalid.`;

/** Parses the command-line arguments. @throws Error with a message for the user */
export function parseArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      header: { type: 'string', multiple: true, default: [] },
      items: { type: 'string', default: '10000' },
      local: { type: 'boolean', default: false },
    },
  });
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0)
    throw new Error(`expected one listing address, found ${positionals.length} addresses`);
  if (URL.parse(url) === null) throw new Error(`expected an address such as https://shop.example/items, found ${url}`);
  const maxItems = Number(values.items);
  if (!Number.isInteger(maxItems) || maxItems < 1)
    throw new Error(`--items: expected a whole number from 1, found ${values.items}`);
  return { url, headers: Object.fromEntries(values.header.map(parseHeader)), maxItems, allowLocal: values.local };
}

function parseHeader(text: string): readonly [name: string, value: string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw new Error('--header: expected "Name: value", found no colon');
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}
