import { VERSION } from '@quarry/contracts';
import { createSafeFetch } from '@quarry/safe-fetch';
import { checkListing, type RuleResult } from './check-listing.js';
import { openEndpoint } from './endpoint.js';
import { readArguments, USAGE, type Arguments } from './read-arguments.js';
import { getExitCode, formatResult, formatSummary } from './rule-report.js';

function readArgumentsOrExit(): Arguments {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
    process.exit(2);
  }
}

const { url, headers, maxItems, allowLocal } = readArgumentsOrExit();
const client = createSafeFetch({ userAgent: `quarry-listing-check/${VERSION}`, allowLoopback: allowLocal });
const results: RuleResult[] = [];
for await (const result of checkListing(openEndpoint(client, { url, headers }), maxItems)) {
  results.push(result);
  process.stdout.write(`${formatResult(result)}\n`);
}
await client.close();
process.stdout.write(`\n${formatSummary(results)}\n`);
process.exitCode = getExitCode(results);
