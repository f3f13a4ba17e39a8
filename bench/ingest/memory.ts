import type { QuarryClient } from '@quarry/client';
import { memoryOf } from '../quarry/process-memory.js';
import { allSynched } from './through-quarry.js';

const DOCUMENTS_A_CALL = 250;

/** How much memory Quarry's process holds while small documents are ingested, in MiB, once a call. */
export async function memoryOver(client: QuarryClient, pid: number, documents: number): Promise<readonly number[]> {
  const { id: datastore } = await client.createDatastore({ name: 'memory' });
  const samples: number[] = [];
  for (let at = 0; at < documents; at += DOCUMENTS_A_CALL) {
    const batch = Array.from({ length: DOCUMENTS_A_CALL }, (_, index) => documentOf(at + index));
    await client.upsertDocuments(datastore, batch);
    await allSynched(client, datastore);
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

/** Mean of the last quarter against that of the second: the first quarter is warming up. */
export function growth(samples: readonly number[]): number {
  const quarter = Math.floor(samples.length / 4);
  const mean = (of: readonly number[]): number => of.reduce((sum, value) => sum + value, 0) / of.length;
  return mean(samples.slice(-quarter)) / mean(samples.slice(quarter, 2 * quarter));
}
