import type { Upload } from './connection.js';
import { createRandomId } from './create-random-id.js';

/** Describes a file to upload: a File, a Blob with a name, or a stream with a name and a media type. */
export type UploadedFile =
  | File
  | { readonly content: Blob; readonly name: string }
  | { readonly content: ReadableStream<Uint8Array>; readonly name: string; readonly type: string };

/**
 * Builds the HTTP form of an upload, with the file and the other fields. The other fields come first, so that Quarry
 * can reject them before the file is sent.
 */
export function buildUpload(file: UploadedFile, fields: Readonly<Record<string, string | undefined>>): Upload {
  const presentFields = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  if (file instanceof Blob) return buildFormUpload(presentFields, file, file.name);
  if (file.content instanceof Blob) return buildFormUpload(presentFields, file.content, file.name);
  const type = 'type' in file ? file.type : '';
  return buildStreamUpload(presentFields, { content: file.content, name: file.name, type });
}

interface Field {
  readonly name: string;
  readonly value: string;
}

function buildFormUpload(fields: readonly Field[], content: Blob, name: string): Upload {
  const body = new FormData();
  for (const field of fields) body.append(field.name, field.value);
  body.append('file', content, name);
  return { body, headers: {} };
}

interface StreamedFile {
  readonly content: ReadableStream<Uint8Array>;
  readonly name: string;
  readonly type: string;
}

/**
 * Builds a form with a streamed file. Encodes the form itself, because FormData cannot contain streams. Sources: RFC
 * 7578; WHATWG HTML for the escaping of names.
 */
function buildStreamUpload(fields: readonly Field[], { content, name, type }: StreamedFile): Upload {
  const boundary = `quarry-${createRandomId()}`;
  const texts = fields.map((field) => `${buildFieldHeader(boundary, field.name)}\r\n\r\n${field.value}\r\n`);
  const head = `${buildFieldHeader(boundary, 'file')}; filename="${escapeFieldName(name)}"\r\nContent-Type: ${replaceLineBreaksWithSpaces(type)}\r\n\r\n`;
  const before = new TextEncoder().encode(texts.join('') + head);
  const after = new TextEncoder().encode(`\r\n--${boundary}--\r\n`);
  const around = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => {
      controller.enqueue(before);
    },
    flush: (controller) => {
      controller.enqueue(after);
    },
  });
  return {
    body: content.pipeThrough(around),
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
  };
}

function buildFieldHeader(boundary: string, name: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${escapeFieldName(name)}"`;
}

function escapeFieldName(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

function replaceLineBreaksWithSpaces(mediaType: string): string {
  return mediaType.replaceAll(/[\r\n]/g, ' ');
}
