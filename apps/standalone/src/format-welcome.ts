import type { RootKey } from './secrets.js';
import type { Sample } from './sample/load-or-create-sample.js';

export interface Welcome {
  /** The URL of the gateway, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Link that signs a browser in to the console. It works once. */
  readonly signInUrl: string;
  /** Absolute path of the data folder. */
  readonly dataDirectory: string;
  readonly key: RootKey;
  readonly sample: Sample | undefined;
}

/** Holds the URL and the data folder that `scripts/ask.mjs` uses if its command line contains no options for them. */
export interface AskDefaults {
  readonly url: string;
  readonly dataDirectory: string;
}

/**
 * Formats the message that Quarry prints when it is ready. It contains the address, the API key, a sign-in link and a
 * command to try. The API key itself is shown only if it is new.
 */
export function formatWelcome({ url, signInUrl, dataDirectory, key, sample }: Welcome, defaults: AskDefaults): string {
  const api = `${url}/api`;
  const lines = ['', `Quarry is ready at ${api}`];
  if (key.isNew) lines.push(`Your first API key, shown this once: ${key.text}`);
  if (key.file !== undefined) lines.push(`${key.isNew ? 'It is stored' : 'Your first API key is'} in ${key.file}`);
  lines.push(
    '',
    'Open the console (the link works once, within 10 minutes; each start prints another):',
    `  ${signInUrl}`,
    '',
    ...(sample === undefined
      ? ['List your datastores:', `  ${formatListDatastoresCommand(api, key)}`]
      : ['Ask Quarry about itself:', `  ${formatAskAgentCommand({ url, dataDirectory }, sample, defaults)}`]),
    '',
    `The API documentation is at ${url}/docs`,
    '',
    'Press Ctrl-C to stop Quarry.',
    '',
  );
  return lines.join('\n');
}

/**
 * Formats a command that asks the sample agent a question, and works in every shell. Includes the URL and the data
 * folder only if they differ from the defaults.
 */
function formatAskAgentCommand(
  { url, dataDirectory }: AskDefaults,
  { question }: Sample,
  defaults: AskDefaults,
): string {
  const options = [
    ...(url === defaults.url ? [] : ['--url', url]),
    ...(dataDirectory === defaults.dataDirectory ? [] : ['--data', `"${dataDirectory}"`]),
  ];
  return ['node', 'scripts/ask.mjs', ...options, `"${question}"`].join(' ');
}

function formatListDatastoresCommand(api: string, key: RootKey): string {
  const text = key.isNew ? key.text : key.file === undefined ? '$QUARRY_ROOT_KEY' : `$(cat '${key.file}')`;
  return `curl -H "Authorization: Bearer ${text}" ${api}/datastores`;
}
