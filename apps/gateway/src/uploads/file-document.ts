import type { FileUploadFields } from '@quarry/contracts';
import { fileIdentity } from '../datasources/document-identity.js';
import { legacyFileKey } from '../datasources/legacy-documents.js';
import type { SavedDocument } from '../datasources/save-documents.js';
import { problem } from '../problems.js';
import type { StoredFile } from './store-file.js';
import { refuseOtherContent } from './content-kind.js';
import { cleanFileName } from './file-name.js';
import { mediaTypeOf } from './media-types.js';

/**
 * The document that an uploaded file is.
 *
 * @param newId the id its datasource gets if it is a new one
 * @throws Problem when there is no file, when it is empty, or when it is not of a supported type
 */
export function fileDocument(form: FileUploadFields, file: StoredFile | undefined, newId: string): SavedDocument {
  if (file === undefined) throw problem('file_missing', 'The form must hold a file in the field file; found none.');
  const partName = cleanFileName(file.name);
  const name = isGiven(form.fileName) ? cleanFileName(form.fileName) : partName;
  if (file.size === 0) throw problem('file_empty', `The file ${JSON.stringify(name)} has 0 bytes.`);
  const mimeType = mediaTypeOf(file.declaredType, [name, partName]);
  refuseOtherContent(mimeType, file.head);
  const customId = isGiven(form.custom_id) ? form.custom_id : null;
  return {
    newId,
    type: 'file',
    identity: fileIdentity(customId, name),
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

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}
