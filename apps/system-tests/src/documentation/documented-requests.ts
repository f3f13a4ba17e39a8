import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createClient, type QuarryClient } from '@quarry/client';
import { expect } from 'vitest';
import type { Block } from './read-documents.js';
import { findShapeProblems } from './shape-problems.js';

const run = promisify(execFile);

/** Time after which curl stops reading the endless stream of `/events`, in seconds. */
const EVENTS_SECONDS = 3;
/** Exit code of curl after `--max-time` has passed. */
const CURL_TIMED_OUT = 28;

/** Names of the shell variables for ids of datasources in the documents, keyed by the type of the datasource. */
const DATASOURCE_VARIABLES: Readonly<Record<string, string>> = {
  web_page: 'page',
  web_site: 'site',
  item_listing: 'listing',
};

export interface RequestSettings {
  readonly api: string;
  readonly key: string;
  /** Path of the folder with the files that the requests upload. */
  readonly folder: string;
  /** Base URL of a local site, which replaces `https://www.example.com` in the requests. */
  readonly site: string;
}

/**
 * Sends the requests in the documents in their order. Later requests contain shell variables, whose values are ids in
 * the responses to earlier requests.
 */
export class DocumentedRequests {
  readonly #settings: RequestSettings;
  readonly #ids: Record<string, string> = {};
  #preamble = '';

  constructor(settings: RequestSettings) {
    this.#settings = settings;
  }

  get ids(): Readonly<Record<string, string>> {
    return this.#ids;
  }

  /** Sends the request of every line of a block. Expects that the last response has the documented form. */
  async sendBlock({ lines, response }: Block): Promise<void> {
    let printed = '';
    for (const line of lines) {
      if (line.startsWith('api=')) this.#setPreamble(line);
      else printed = await this.#sendLine(line);
    }
    if (response !== undefined) expectDocumentedResponse(response, printed);
  }

  #setPreamble(line: string): void {
    this.#preamble = line.replace(/http:\S+/, this.#settings.api).replace('qk_…', this.#settings.key);
  }

  async #sendLine(line: string): Promise<string> {
    const isEndless = line.endsWith('/events');
    const request = line
      .replace('curl', `curl -sS --fail-with-body${isEndless ? ` --max-time ${EVENTS_SECONDS}` : ''}`)
      .replaceAll('https://www.example.com', this.#settings.site);
    const command = isEndless ? `${request} || [ $? = ${CURL_TIMED_OUT} ]` : request;
    const { stdout } = await run('bash', ['-ceu', `${this.#preamble}\n${command}`], {
      cwd: this.#settings.folder,
      env: { ...process.env, ...this.#ids },
    });
    if (isEndless) return stdout;
    this.#storeAnswerIds(stdout);
    if (line.includes('"streaming":true')) expect(stdout).toMatch(/data: \[DONE\]\s*$/);
    else if (line.endsWith('/stream')) expect(stdout).toMatch(/data: \[DONE\]\s*$/);
    else if (line.includes('DELETE') || line.includes(' -o ') || line.startsWith('printf')) expect(stdout).toBe('');
    else await this.#storeResponseIds(line, JSON.parse(stdout));
    return stdout;
  }

  /**
   * Stores the ids of the conversation and the message in an answer for later requests. The answer is a JSON response
   * or a stream of events.
   */
  #storeAnswerIds(printed: string): void {
    const response = printed.replaceAll(/\n+event: endpoint_response\ndata: /g, '');
    const [, conversation] = /"conversationId": ?"([^"]+)"/.exec(response) ?? [];
    const [, message] = /"messageId": ?"([^"]+)"/.exec(response) ?? [];
    if (conversation !== undefined && message !== undefined) Object.assign(this.#ids, { conversation, message });
  }

  async #storeResponseIds(line: string, response: unknown): Promise<void> {
    const { id, ids = [] } = response as { readonly id?: string; readonly ids?: readonly string[] }; // the documented form
    const [, resource] = /\$api\/(datastore|datasource|agent|webhook|evaluation|api-key)s\s+(?:-d|-F)/.exec(line) ?? [];
    const [, type = ''] = /"type":"(\w+)"/.exec(line) ?? [];
    const variable =
      DATASOURCE_VARIABLES[type] ?? (line.endsWith('/test') ? 'delivery' : toShellVariableName(resource));
    if (variable === 'evaluation') await this.#storeEvaluationIds(response);
    else if (variable !== undefined && id !== undefined) this.#ids[variable] ??= id;
    if (line.includes('.pdf') && id !== undefined) this.#ids['pdf'] = id;
    const settling = [...ids, ...(variable === 'datasource' || line.includes('/file-upload/') ? [id ?? ''] : [])];
    for (const datasource of settling) await this.#createClient().untilSettled(datasource);
  }

  /**
   * Waits until an evaluation has ended. Stores its id and the id of its dataset for later requests, and the id of the
   * first evaluation in the documents as `earlier`.
   */
  async #storeEvaluationIds(response: unknown): Promise<void> {
    const { id, datasetId } = response as { readonly id: string; readonly datasetId: string }; // the documented form
    await this.#createClient().untilEvaluated(id);
    this.#ids['earlier'] ??= id;
    Object.assign(this.#ids, { evaluation: id, dataset: datasetId });
  }

  #createClient(): QuarryClient {
    const { api: baseUrl, key: apiKey } = this.#settings;
    return createClient({ baseUrl, apiKey });
  }
}

/** Converts the name of a resource to the name of a shell variable, such as `api-key` to `apiKey`. */
function toShellVariableName(resource: string | undefined): string | undefined {
  return resource?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function expectDocumentedResponse(documented: string, printed: string): void {
  if (documented.includes('event: ')) expect(getStreamEvents(printed)).toEqual(getStreamEvents(documented));
  else expect(findShapeProblems(JSON.parse(documented), JSON.parse(printed))).toEqual([]);
}

/** Returns the distinct lines of a stream that contain an event name or the end marker, in order of occurrence. */
function getStreamEvents(stream: string): readonly string[] {
  return [...new Set([...stream.matchAll(/^event: \w+$|^data: \[DONE\]$/gm)].map(([line]) => line))];
}
