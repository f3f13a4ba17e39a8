import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@quarry/service-kit';
import { readUserDocumentation } from './documentation.js';
import { SampleClient } from './sample-client.js';

/** Describes the sample agent, which answers questions about Quarry: its id and a question that a user can ask. */
export interface Sample {
  readonly agentId: string;
  readonly question: string;
}

export interface SampleSettings {
  readonly dataDirectory: string;
  /** The address of the public API, such as `http://127.0.0.1:3000/api`. */
  readonly apiUrl: string;
  readonly key: string;
  readonly log: Log;
}

const QUESTION = 'How do I upload a file?';

/**
 * On the first start with a data folder, creates a datastore with Quarry's documentation, and an agent that answers
 * from it, through the public API. Later starts with the same folder return the same agent.
 *
 * @returns undefined when the sample could not be created; Quarry runs without it
 */
export async function loadOrCreateSample(settings: SampleSettings): Promise<Sample | undefined> {
  const file = join(settings.dataDirectory, 'sample.json');
  const existing = await readStoredSample(file);
  if (existing !== undefined) return existing;
  try {
    const sample = await createSample(new SampleClient(settings.apiUrl, settings.key));
    await writeFile(`${file}.new`, JSON.stringify(sample));
    await rename(`${file}.new`, file);
    return sample;
  } catch (error) {
    settings.log.warn({ err: error }, 'the sample datastore could not be created; Quarry starts without it');
    return undefined;
  }
}

async function createSample(client: SampleClient): Promise<Sample> {
  const datastoreId = await client.createDatastore('Quarry documentation');
  const files = await readUserDocumentation();
  const datasourceIds = await Promise.all(files.map((document) => client.uploadFile(datastoreId, document)));
  await Promise.all(datasourceIds.map((id) => client.waitUntilSettled(id)));
  return { agentId: await client.createAgent('Quarry guide', datastoreId), question: QUESTION };
}

async function readStoredSample(file: string): Promise<Sample | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Sample; // written above
  } catch {
    return undefined;
  }
}
