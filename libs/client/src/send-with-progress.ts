/** Describes how much of a request body was sent. */
export interface UploadProgress {
  readonly sentBytes: number;
  /** Size of the whole body in bytes, including the fields of the form. */
  readonly totalBytes: number;
}

interface ProgressOfBody {
  readonly loaded: number;
  readonly total: number;
}

/** Describes the part of XMLHttpRequest that `sendWithProgress` uses. */
export interface BrowserRequest {
  readonly status: number;
  readonly responseText: string;
  readonly upload: { onprogress: ((event: ProgressOfBody) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  open: (method: string, url: string) => void;
  setRequestHeader: (name: string, value: string) => void;
  getAllResponseHeaders: () => string;
  send: (body: FormData) => void;
  abort: () => void;
}

/** Creates an XMLHttpRequest. Returns undefined outside of browsers. */
export function createBrowserRequest(): BrowserRequest | undefined {
  const { XMLHttpRequest: Request } = globalThis as { readonly XMLHttpRequest?: new () => BrowserRequest };
  return Request === undefined ? undefined : new Request();
}

export interface FormRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormData;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (progress: UploadProgress) => void;
}

/**
 * Sends a form and reports the progress of the upload. Uses XMLHttpRequest, because `fetch` reports no progress of
 * uploads.
 *
 * @throws TypeError if the server does not respond, as fetch does; the reason of the signal if the signal is aborted
 */
export async function sendWithProgress(request: BrowserRequest, url: string, form: FormRequest): Promise<Response> {
  const { method, headers, body, signal, onProgress } = form;
  signal?.throwIfAborted();
  const abort = (): void => {
    request.abort();
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await new Promise<Response>((resolve, reject) => {
      request.onload = () => {
        resolve(buildResponse(request));
      };
      request.onerror = () => {
        reject(new TypeError('Expected a response to the upload, but the connection failed'));
      };
      request.onabort = () => {
        reject(new DOMException('The upload was aborted', 'AbortError'));
      };
      request.upload.onprogress = ({ loaded, total }) => {
        onProgress({ sentBytes: loaded, totalBytes: total });
      };
      request.open(method, url);
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
      request.send(body);
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** Statuses whose responses have no body (WHATWG Fetch, section 2.2.3). */
const STATUSES_WITHOUT_BODY: readonly number[] = [101, 103, 204, 205, 304];

function buildResponse(request: BrowserRequest): Response {
  const lines = request.getAllResponseHeaders().split('\r\n');
  const headers = lines.flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
  });
  const { status, responseText } = request;
  return new Response(STATUSES_WITHOUT_BODY.includes(status) ? null : responseText, { status, headers });
}
