import type { FileUploadFields } from '@quarry/contracts';
import { identifyFile } from '../datasources/document-identity.js';
import { legacyFileKey } from '../datasources/legacy-documents.js';
import type { SavedDocument } from '../datasources/save-documents.js';
import { problem } from '../problems.js';
import type { StoredFile } from './store-file.js';
import { requireMatchingContent } from './content-kind.js';
import { cleanFileName } from './file-name.js';
import { detectMediaType } from './media-types.js';

/**
 * Builds the document of an uploaded file from its form fields and its stored bytes.
 *
 * @param newId the id of its datasource, if the upload creates one
 * @throws Problem if the file is missing, empty, or not of a supported type
 */
export function buildFileDocument(form: FileUploadFields, file: StoredFile | undefined, newId: string): SavedDocument {
  if (file === undefined) throw problem('file_missing', 'The form must contain a file in the field file; found none.');
  const partName = cleanFileName(file.name);
  const name = isPresent(form.fileName) ? cleanFileName(form.fileName) : partName;
  if (file.size === 0) throw problem('file_empty', `The file ${JSON.stringify(name)} has 0 bytes.`);
  const mimeType = detectMediaType(file.declaredType, [name, partName]);
  requireMatchingContent(mimeType, file.head);
  const customId = isPresent(form.custom_id) ? form.custom_id : null;
  return {
    newId,
    type: 'file',
    identity: identifyFile(customId, name),
    legacyKey: legacyFileKey(customId, name),
    givenName: name,
    name,
    mimeType,
    customId,
    blobKey: file.blobKey,
    source: null,
    metadata: null,
    config: { fileName: name, mimeType, fileSize: file.size },
  };
}

function isPresent(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
