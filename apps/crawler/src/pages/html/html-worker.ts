import { parentPort } from 'node:worker_threads';
import { readHtml, type HtmlInput, type HtmlPage } from './read-html.js';

/** Describes the reply of the worker thread for one page. */
export type HtmlReply = { readonly kind: 'reply' } & (
  { readonly ok: true; readonly page: HtmlPage } | { readonly ok: false; readonly message: string }
);
/** Describes the messages of the worker thread: `started` first, then one reply per page. */
export type HtmlThreadMessage = HtmlReply | { readonly kind: 'started' };

// Only html-reader.ts sends messages to this thread, and each message is an HtmlInput.
parentPort?.on('message', (input: HtmlInput) => {
  parentPort?.postMessage(readHtmlToReply(input));
});

parentPort?.postMessage({ kind: 'started' } satisfies HtmlThreadMessage);

function readHtmlToReply(input: HtmlInput): HtmlReply {
  try {
    return { kind: 'reply', ok: true, page: readHtml(input) };
  } catch (error) {
    return { kind: 'reply', ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
