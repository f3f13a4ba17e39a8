import type { Connection } from './connection.js';
import type { AnswerIds } from './resume-answer.js';
import type { UploadProgress } from './send-with-progress.js';

export interface ClientOptions extends Partial<Connection> {
  /** Base URL of the API, such as `http://localhost:3000/api`. */
  readonly baseUrl: string;
  /**
   * API key of the requests. Absent: the requests carry the cookie of the session that `startSession` has started, so
   * the client works only in pages of the console.
   */
  readonly apiKey?: string;
}

/** Describes the options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Describes the options of one call that creates a resource. */
export interface CreateOptions extends CallOptions {
  /**
   * Key that identifies the request. A repeated call with the same key within 24 hours has no effect, and returns the
   * response to the first call.
   */
  readonly idempotencyKey?: string;
}

/** Describes the options of a streamed answer. */
export interface StreamOptions extends CreateOptions {
  /**
   * Called before the first text of an answer, if the request has `resumable: true`. To continue the answer later, pass
   * the ids to `streamAnswer`.
   */
  readonly onStart?: (ids: AnswerIds) => void;
  /** Called each time the connection of a resumable stream is open again after an interruption. */
  readonly onResume?: () => void;
}

export interface FileNames {
  /** Name of the file in Quarry. Default: the `name` of the uploaded file. */
  readonly fileName?: string;
  /**
   * Custom id of the file, by which `filters.custom_ids` of a query selects the file. The upload replaces a file with
   * the same custom id and name.
   */
  readonly custom_id?: string;
}

/** Describes the options of an upload. */
export interface UploadOptions extends CreateOptions, FileNames {
  /**
   * Called with the numbers of sent and total bytes while a file is sent. Not called for a stream, because the size of
   * a stream is unknown.
   */
  readonly onProgress?: (progress: UploadProgress) => void;
}
