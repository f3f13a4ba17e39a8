import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from '@quarry/service-kit';
import { documentationFiles } from './documentation.js';
import { SampleClient } from './sample-client.js';

/** An agent that knows Quarry's own documentation, so that there is something to ask at once. */
export interface Sample {
  readonly agentId: string;
  readonly question: string;
}

export interface SampleSettings {
  readonly dataDirectory: string;
  /** The public API's address, such as `http://127.0.0.1:3000/api`. */
  readonly apiUrl: string;
  readonly key: string;
  readonly log: Log;
}

const QUESTION = 'What is a datastore?';

/**
 * On the first start of a data folder, fills a datastore with the documentation through the public API, as a customer would, and
 * puts an agent on it. Later it only remembers the agent.
 *
 * @returns undefined when it could not be made: Quarry runs all the same
 */
export async function ensureSample(settings: SampleSettings): Promise<Sample | undefined> {
  const file = join(settings.dataDirectory, 'sample.json');
  const kept = await readKept(file);
  if (kept !== undefined) return kept;
  try {
    const sample = await makeSample(new SampleClient(settings.apiUrl, settings.key));
    await writeFile(`${file}.new`, JSON.stringify(sample));
    await rename(`${file}.new`, file);
    return sample;
  } catch (error) {
    settings.log.warn({ err: error }, 'the sample datastore could not be made');
    return undefined;
  }
}

async function makeSample(client: SampleClient): Promise<Sample> {
  const datastoreId = await client.createDatastore('Quarry documentation');
  const files = await documentationFiles();
  const datasourceIds = await Promise.all(files.map((document) => client.upload(datastoreId, document)));
  await Promise.all(datasourceIds.map((id) => client.settled(id)));
  return { agentId: await client.createAgent('Quarry guide', datastoreId), question: QUESTION };
}

async function readKept(file: string): Promise<Sample | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Sample; // written above
  } catch {
    return undefined;
  }
}
