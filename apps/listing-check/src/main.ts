import { VERSION } from '@quarry/contracts';
import { createSafeFetch } from '@quarry/safe-fetch';
import { checkListing, type Line } from './check-listing.js';
import { openEndpoint } from './endpoint.js';
import { readArguments, USAGE, type Arguments } from './read-arguments.js';
import { exitCodeOf, inWords, summary } from './rule-report.js';

function readOrExplain(): Arguments {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
    process.exit(2);
  }
}

const { url, headers, mostItems, local } = readOrExplain();
const client = createSafeFetch({ userAgent: `quarry-listing-check/${VERSION}`, allowLoopback: local });
const lines: Line[] = [];
for await (const line of checkListing(openEndpoint(client, { url, headers }), mostItems)) {
  lines.push(line);
  process.stdout.write(`${inWords(line)}\n`);
}
await client.close();
process.stdout.write(`\n${summary(lines)}\n`);
process.exitCode = exitCodeOf(lines);
