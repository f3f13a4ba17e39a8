import { VERSION } from '@quarry/contracts';
import { createSafeFetch } from '@quarry/safe-fetch';
import { checkListing, type RuleResult } from './check-listing.js';
import { createEndpoint } from './endpoint.js';
import { parseArguments, USAGE, type Arguments } from './parse-arguments.js';
import { getExitCode, formatResult, formatSummary } from './rule-report.js';

function parseArgumentsOrExit(): Arguments {
  try {
    return parseArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}\n`);
    process.exit(2);
  }
}

const { url, headers, maxItems, allowLocal } = parseArgumentsOrExit();
const client = createSafeFetch({ userAgent: `quarry-listing-check/${VERSION}`, allowLoopback: allowLocal });
const results: RuleResult[] = [];
for await (const result of checkListing(createEndpoint(client, { url, headers }), maxItems)) {
  results.push(result);
  process.stdout.write(`${formatResult(result)}\n`);
}
await client.close();
process.stdout.write(`\n${formatSummary(results)}\n`);
process.exitCode = getExitCode(results);
