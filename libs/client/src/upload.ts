import type { Upload } from './connection.js';

/** A file to upload. A stream or a Blob without a name needs one, and a stream a type such as `application/pdf`. */
export type UploadedFile =
  | File
  | { readonly content: Blob; readonly name: string }
  | { readonly content: ReadableStream<Uint8Array>; readonly name: string; readonly type: string };

/** The fields come before the file, so that what they refuse is refused before the file is sent. */
export function uploadOf(file: UploadedFile, fields: Readonly<Record<string, string | undefined>>): Upload {
  const given = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  if (file instanceof Blob) return formOf(given, file, file.name);
  if (file.content instanceof Blob) return formOf(given, file.content, file.name);
  const type = 'type' in file ? file.type : '';
  return streamOf(given, { content: file.content, name: file.name, type });
}

interface Field {
  readonly name: string;
  readonly value: string;
}

function formOf(fields: readonly Field[], content: Blob, name: string): Upload {
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

/** FormData cannot hold a stream. Source: RFC 7578; names are escaped as WHATWG HTML says. */
function streamOf(fields: readonly Field[], { content, name, type }: StreamedFile): Upload {
  const boundary = `quarry-${crypto.randomUUID()}`;
  const texts = fields.map((field) => `${headOf(boundary, field.name)}\r\n\r\n${field.value}\r\n`);
  const head = `${headOf(boundary, 'file')}; filename="${escaped(name)}"\r\nContent-Type: ${oneLine(type)}\r\n\r\n`;
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

function headOf(boundary: string, name: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"`;
}

function escaped(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}

function oneLine(type: string): string {
  return type.replaceAll(/[\r\n]/g, ' ');
}
