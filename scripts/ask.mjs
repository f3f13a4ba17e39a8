// node scripts/ask.mjs "<question>": asks the sample agent of the Quarry that runs on this machine, and prints the
// answer as text.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_COLUMNS = 100;

const USAGE = `node scripts/ask.mjs [--url <url>] [--data <folder>] "<question>"

Asks the sample agent. The default URL is http://127.0.0.1:3000, with the port of QUARRY_PORT. The key is in the data folder, or
in QUARRY_ROOT_KEY.`;

const { values, positionals } = parseArguments();
const query = positionals.join(' ').trim();
if (query === '') exitWithError(USAGE);
const url = values.url ?? `http://127.0.0.1:${process.env.QUARRY_PORT ?? 3000}`;
const folder = resolve(ROOT, values.data ?? process.env.QUARRY_DATA_DIR ?? 'data');
const key = process.env.QUARRY_ROOT_KEY ?? readDataFile('root-key').trim();
const { agentId } = JSON.parse(readDataFile('sample.json'));
console.log(formatAnswer(await askAgent(), process.stdout.columns ?? MAX_COLUMNS));

function parseArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { url: { type: 'string' }, data: { type: 'string' } },
    });
  } catch (error) {
    return exitWithError(`${error.message}\n\n${USAGE}`);
  }
}

async function askAgent() {
  const response = await fetch(`${url}/api/agents/${agentId}/query`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  }).catch((error) => exitWithError(`expected a Quarry at ${url}, found none (${error.cause?.code ?? error.message})`));
  const body = await response.json().catch(() => ({}));
  if (!response.ok)
    exitWithError(`expected an answer, found status ${response.status}: ${body.detail ?? body.title ?? ''}`);
  return body;
}

function readDataFile(name) {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    return exitWithError(
      `expected the file ${join(folder, name)}, found none (${error.code}). Start Quarry first, or pass --data <folder>.`,
    );
  }
}

/** Prints an error message and exits with code 1. */
function exitWithError(message) {
  console.error(message);
  process.exit(1);
}

/** Formats an answer of the API for a terminal: the text of the answer, and each cited source once. */
function formatAnswer({ answer, sources }, columns) {
  const width = Math.min(columns, MAX_COLUMNS);
  const names = sources.filter(({ cited }) => cited).map(formatSource);
  const cited = [...new Set(names)].map((name) => `  ${name}`);
  return ['', ...answer.split('\n').map((line) => wrapLine(line, width)), ...formatSourceLines(cited), ''].join('\n');
}

function formatSourceLines(cited) {
  return cited.length === 0 ? [] : ['', cited.length === 1 ? 'Source:' : 'Sources:', ...cited];
}

function formatSource({ datasource_name: name, page, source }) {
  const place = page === null || page === undefined ? '' : `, page ${page}`;
  return `${name ?? source ?? 'unnamed'}${place}`;
}

/**
 * Breaks a line at spaces, but not within inline code. Lines that are indented or contain two spaces in a row stay
 * unchanged.
 */
function wrapLine(line, width) {
  if (/^\s| {2}/.test(line)) return line;
  const lines = [];
  for (const word of line.match(/(?:`[^`]*`|\S)+/g) ?? ['']) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines.splice(-1, 1, `${last} ${word}`);
  }
  return lines.join('\n');
}
