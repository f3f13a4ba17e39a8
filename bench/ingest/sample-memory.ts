import type { QuarryClient } from '@quarry/client';
import { memoryOf } from '../quarry/process-memory.js';
import { waitUntilSynched } from './ingest-with-quarry.js';

const DOCUMENTS_A_CALL = 250;

/** Samples the memory of Quarry's process during the ingestion of small documents, in MiB, once per call. */
export async function sampleMemory(client: QuarryClient, pid: number, documents: number): Promise<readonly number[]> {
  const { id: datastore } = await client.createDatastore({ name: 'memory' });
  const samples: number[] = [];
  for (let at = 0; at < documents; at += DOCUMENTS_A_CALL) {
    const batch = Array.from({ length: DOCUMENTS_A_CALL }, (_, index) => documentOf(at + index));
    await client.upsertDocuments(datastore, batch);
    await waitUntilSynched(client, datastore);
    samples.push(memoryOf(pid).resident);
  }
  return samples;
}

function documentOf(number: number) {
  const name = `document ${number}`;
  return {
    name,
    text: `${name} tells of stone ${number * 7}. ${'It is one of many stones in the quarry. '.repeat(20)}`,
  };
}

/** Returns the mean of the last quarter relative to the second. The first quarter is the warm-up. */
export function growth(samples: readonly number[]): number {
  const quarter = Math.floor(samples.length / 4);
  const mean = (of: readonly number[]): number => of.reduce((sum, value) => sum + value, 0) / of.length;
  return mean(samples.slice(-quarter)) / mean(samples.slice(quarter, 2 * quarter));
}
