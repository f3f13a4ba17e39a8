import type { QuarryClient } from '@quarry/client';
import { readResidentMemory } from '../quarry/process-memory.js';
import { waitUntilSynched } from './ingest-with-quarry.js';

const DOCUMENTS_A_CALL = 250;

/** Ingests small documents, and samples the memory of Quarry's process after each batch. @returns the samples in MiB */
export async function ingestAndSampleMemory(
  client: QuarryClient,
  pid: number,
  documents: number,
): Promise<readonly number[]> {
  const { id: datastore } = await client.createDatastore({ name: 'memory' });
  const samples: number[] = [];
  for (let at = 0; at < documents; at += DOCUMENTS_A_CALL) {
    const batch = Array.from({ length: DOCUMENTS_A_CALL }, (_, index) => createStoneDocument(at + index));
    await client.upsertDocuments(datastore, batch);
    await waitUntilSynched(client, datastore);
    samples.push(readResidentMemory(pid).resident);
  }
  return samples;
}

function createStoneDocument(number: number) {
  const name = `document ${number}`;
  return {
    name,
    text: `${name} describes stone ${number * 7}. ${'It is one of many stones in the quarry. '.repeat(20)}`,
  };
}

/**
 * Returns the ratio of the mean of the last quarter of the samples to that of the second quarter. The first quarter is
 * the warm-up.
 */
export function computeMemoryGrowth(samples: readonly number[]): number {
  const quarter = Math.floor(samples.length / 4);
  const computeMean = (of: readonly number[]): number => of.reduce((sum, value) => sum + value, 0) / of.length;
  return computeMean(samples.slice(-quarter)) / computeMean(samples.slice(quarter, 2 * quarter));
}
