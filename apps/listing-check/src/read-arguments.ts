import { parseArgs } from 'node:util';

export interface Arguments {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly mostItems: number;
  /** Whether addresses of this machine may be checked. */
  readonly local: boolean;
}

export const USAGE = `Usage: quarry-listing-check [options] <url>

Tells line by line whether an item listing keeps the contract.

  --header "Name: value"   sent with each request; may be given more than once
  --items <number>         read about this many items at most (10000)
  --local                  also check an address of this machine

Exits with 0 when no rule is broken, 1 when one is, 2 when it is called wrongly.`;

/** @throws Error when they make no sense: the message says why */
export function readArguments(given: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: {
      header: { type: 'string', multiple: true, default: [] },
      items: { type: 'string', default: '10000' },
      local: { type: 'boolean', default: false },
    },
  });
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0) throw new Error(`expected one address, found ${positionals.length}`);
  if (URL.parse(url) === null) throw new Error(`expected an address such as https://shop.example/items, found ${url}`);
  const mostItems = Number(values.items);
  if (!Number.isInteger(mostItems) || mostItems < 1)
    throw new Error(`--items: expected a number, found ${values.items}`);
  return { url, headers: Object.fromEntries(values.header.map(headerOf)), mostItems, local: values.local };
}

function headerOf(text: string): readonly [name: string, value: string] {
  const colon = text.indexOf(':');
  if (colon < 1) throw new Error('--header: expected "Name: value", found no colon');
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()];
}
