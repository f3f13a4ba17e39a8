import type { UploadProgress } from './send-with-progress.js';

export interface CountedForm {
  readonly body: ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Encodes a form as a stream, because `fetch` reports no progress. Calls `onProgress` each time `fetch` reads a part of
 * the stream.
 */
export async function countSentBytes(
  form: FormData,
  onProgress: (progress: UploadProgress) => void,
): Promise<CountedForm> {
  const totalBytes = await measureFormBytes(form);
  const encoded = new Response(form);
  let sentBytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      controller.enqueue(chunk);
      sentBytes += chunk.byteLength;
      onProgress({ sentBytes, totalBytes });
    },
  });
  const body = encoded.body ?? new ReadableStream<Uint8Array>();
  return { body: body.pipeThrough(counter), headers: { 'Content-Type': encoded.headers.get('content-type') ?? '' } };
}

/**
 * Returns the size of an encoded form in bytes. Reads no file: adds the sizes of the files to the size of the form with
 * empty files.
 */
async function measureFormBytes(form: FormData): Promise<number> {
  const withoutFiles = new FormData();
  let fileBytes = 0;
  form.forEach((value, name) => {
    if (typeof value === 'string') {
      withoutFiles.append(name, value);
      return;
    }
    withoutFiles.append(name, new File([], value.name, { type: value.type }), value.name);
    fileBytes += value.size;
  });
  return fileBytes + (await new Response(withoutFiles).arrayBuffer()).byteLength;
}
