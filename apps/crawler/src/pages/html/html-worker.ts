import { parentPort } from 'node:worker_threads';
import { readHtml, type HtmlInput, type HtmlPage } from './read-html.js';

/** What the worker thread sends back for each page it was sent. */
export type HtmlReply =
  { readonly ok: true; readonly page: HtmlPage } | { readonly ok: false; readonly message: string };

// html-reader.ts sends nothing else.
parentPort?.on('message', (input: HtmlInput) => {
  parentPort?.postMessage(reply(input));
});

function reply(input: HtmlInput): HtmlReply {
  try {
    return { ok: true, page: readHtml(input) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
