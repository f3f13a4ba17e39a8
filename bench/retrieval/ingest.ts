import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { CreateDatastoreRequest, QuarryClient } from '@quarry/client';
import type { EvaluationSet, SetDocument } from './evaluation-set.js';

export type Embedding = NonNullable<CreateDatastoreRequest['embedding']>;

const DOCUMENTS_A_CALL = 100;

/**
 * Adds the documents of an evaluation set to a new datastore, each with its id as `custom_id`, and waits until all are
 * searchable.
 *
 * @returns the id of the datastore
 * @throws Error if a document fails
 */
export async function ingestDocuments(
  client: QuarryClient,
  set: EvaluationSet,
  embedding: Embedding | undefined,
): Promise<string> {
  const { id } = await client.createDatastore({
    name: set.name,
    ...(embedding === undefined ? {} : { embedding }),
  });
  const datasources = [
    ...(await upsertTexts(client, id, set.documents)),
    ...(await uploadDocuments(client, id, set.documents)),
  ];
  for (const datasource of datasources) {
    const { status, name, error } = await client.untilSettled(datasource);
    if (status !== 'synched')
      throw new Error(
        `expected the document ${name} to be indexed, found the status ${status}: ${error?.message ?? ''}`,
      );
  }
  return id;
}

async function upsertTexts(
  client: QuarryClient,
  datastore: string,
  documents: readonly SetDocument[],
): Promise<string[]> {
  const texts = documents.filter((document) => 'text' in document);
  const ids: string[] = [];
  for (let at = 0; at < texts.length; at += DOCUMENTS_A_CALL) {
    const some = texts.slice(at, at + DOCUMENTS_A_CALL);
    const body = some.map(({ id, title, text }) => ({ id, name: title, text, metadata: { custom_id: id } }));
    ids.push(...(await client.upsertDocuments(datastore, body)).ids);
  }
  return ids;
}

async function uploadDocuments(
  client: QuarryClient,
  datastore: string,
  documents: readonly SetDocument[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const document of documents) {
    if (!('path' in document)) continue;
    const file = new File([await readFile(document.path)], basename(document.path), { type: 'application/pdf' });
    ids.push((await client.uploadFile(datastore, file, { custom_id: document.id })).id);
  }
  return ids;
}
