import type { FileUploadFields } from '@quarry/contracts';
import { truncateText } from '@quarry/text-analysis/truncate-text';
import { determineFileIdentity, buildLegacyFileKey } from '../datasources/document-identity.js';
import { findDatastoreAndReserveBlob } from '../blobs/discarded-blobs.js';
import { createNotFoundProblem } from '../checks/parse-resource-id.js';
import type { DatastoreRow } from '../database/tables/datastores.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import type { Queries } from '../database/database.js';
import { type SavedDocument, saveDocuments } from '../datasources/save-documents.js';
import { requireDatastoreAccess } from '../datastores/datastore-repository.js';
import type { Caller } from '../access/caller.js';
import type { DatasourceWithRun } from '../runs/start/start-runs.js';
import type { StoredFile } from './store-uploaded-file.js';
import { detectMediaType } from './detect-media-type.js';

/**
 * Builds the document to save for an uploaded file, from the fields of the upload form and the description of the
 * stored file.
 *
 * @param newId the id of the new datasource, if the upload creates one
 * @throws Problem if the file is missing, empty, or not of a supported type
 */
export function buildFileDocument(form: FileUploadFields, file: StoredFile | undefined, newId: string): SavedDocument {
  if (file === undefined)
    throw problem('file_missing', 'The form must contain a file in the field "file"; found none.');
  const partName = cleanFileName(file.name);
  const wholeName = removeUnsafeCharacters(hasCharacters(form.fileName) ? form.fileName : file.name);
  const name = shortenName(wholeName);
  if (file.size === 0) throw problem('file_empty', `The file ${JSON.stringify(name)} has 0 bytes.`);
  const mimeType = detectMediaType({ ...file, names: [name, partName] });
  const customId = hasCharacters(form.custom_id) ? form.custom_id : null;
  return {
    newId,
    type: 'file',
    // The identity uses the name before it is shortened, because two long names may have the same shortened name.
    identity: determineFileIdentity(customId, wholeName),
    legacyKey: buildLegacyFileKey(customId, name),
    givenName: name,
    name,
    mimeType,
    customId,
    blobKey: file.blobKey,
    size: file.size,
    source: null,
    metadata: null,
    config: { fileName: name, mimeType, fileSize: file.size },
  };
}

function hasCharacters(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

/** Maximum length of a file name, in characters. */
const MAX_LENGTH = 200;
const FALLBACK = 'file';

/**
 * Removes folders, control characters and characters that change the text direction from a file name, and shortens the
 * name. The result is safe to display and to store.
 */
export function cleanFileName(givenName: string): string {
  return shortenName(removeUnsafeCharacters(givenName));
}

function removeUnsafeCharacters(givenName: string): string {
  const name = givenName.normalize('NFC').replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu, '');
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? '';
  return /^\.*$/.test(last) ? FALLBACK : last.toWellFormed();
}

/** Shortens a file name, but keeps the extension, which shows the type of the file. */
function shortenName(whole: string): string {
  if (whole.length <= MAX_LENGTH) return whole;
  const extension = /\.[^.]{1,16}$/.exec(whole)?.[0] ?? '';
  return truncateText(whole, MAX_LENGTH - extension.length) + extension;
}

/**
 * Finds the datastore of an upload, and reserves the blob with the given key for the uploaded file.
 *
 * @returns the datastore
 * @throws Problem 404 if it does not exist or the caller cannot access it
 */
export async function reserveUploadBlob(
  { db, clock }: Pick<Gateway, 'db' | 'clock'>,
  caller: Caller,
  datastoreId: string,
  blobKey: string,
): Promise<DatastoreRow> {
  const key = { organizationId: caller.organizationId, id: requireDatastoreAccess(caller, datastoreId) };
  const datastore = await findDatastoreAndReserveBlob(db, key, blobKey, clock());
  if (datastore === undefined) throw createNotFoundProblem('datastore', key.id);
  return datastore;
}

/** The document of an uploaded file, and the datastore in which it is saved. */
interface Upload {
  readonly document: SavedDocument;
  readonly datastoreId: string;
}

/**
 * Saves an uploaded file as a new datasource, or replaces the content of the datasource with the same identity. Starts
 * a run of the datasource.
 *
 * @throws Problem 404 if the datastore does not exist
 */
export async function saveUploadedDocument(
  tx: Queries,
  caller: Caller,
  { document, datastoreId }: Upload,
  now: Date,
): Promise<DatasourceWithRun> {
  const datastore = { organizationId: caller.organizationId, id: requireDatastoreAccess(caller, datastoreId) };
  const [saved] = await saveDocuments(tx, datastore, [document], now);
  if (saved === undefined) throw new Error(`expected a datasource for the file ${document.name}, found none`);
  return saved;
}
