import { parentPort } from 'node:worker_threads';
import { readHtml, type HtmlInput, type HtmlPage } from './read-html.js';

/** What the worker thread sends back for each page it was sent. */
export type HtmlReply = { readonly kind: 'reply' } & (
  { readonly ok: true; readonly page: HtmlPage } | { readonly ok: false; readonly message: string }
);
/** Before the first page, it says that it has started. */
export type HtmlThreadMessage = HtmlReply | { readonly kind: 'started' };

// html-thread.ts sends nothing else.
parentPort?.on('message', (input: HtmlInput) => {
  parentPort?.postMessage(reply(input));
});

parentPort?.postMessage({ kind: 'started' } satisfies HtmlThreadMessage);

function reply(input: HtmlInput): HtmlReply {
  try {
    return { kind: 'reply', ok: true, page: readHtml(input) };
  } catch (error) {
    return { kind: 'reply', ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
