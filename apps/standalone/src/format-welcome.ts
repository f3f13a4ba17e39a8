import type { RootKey } from './secrets.js';
import type { Sample } from './sample/ensure-sample.js';

export interface Welcome {
  /** The URL of the gateway, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly key: RootKey;
  readonly sample: Sample | undefined;
}

/**
 * Formats the message that Quarry prints when it is ready: its address, its API key and a curl command. Only a new key is shown.
 */
export function formatWelcome({ url, key, sample }: Welcome): string {
  const api = `${url}/api`;
  const lines = ['', `Quarry is ready at ${api}`];
  if (key.isNew) lines.push(`Your first API key, shown this once: ${key.text}`);
  if (key.file !== undefined) lines.push(`${key.isNew ? 'It is stored' : 'Your first API key is'} in ${key.file}`);
  lines.push(
    '',
    sample === undefined ? 'List your datastores:' : 'Ask Quarry about itself:',
    `  ${formatSampleCommand(api, key, sample)}`,
  );
  lines.push('', 'Press Ctrl-C to stop Quarry.', '');
  return lines.join('\n');
}

function formatSampleCommand(api: string, key: RootKey, sample: Sample | undefined): string {
  const text = key.isNew ? key.text : key.file === undefined ? '$QUARRY_ROOT_KEY' : `$(cat '${key.file}')`;
  const authorization = `-H "Authorization: Bearer ${text}"`;
  if (sample === undefined) return `curl ${authorization} ${api}/datastores`;
  const question = JSON.stringify({ query: sample.question });
  return `curl ${authorization} -H "Content-Type: application/json" ${api}/agents/${sample.agentId}/query -d '${question}'`;
}
