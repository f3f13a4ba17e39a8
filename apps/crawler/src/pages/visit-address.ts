import type { SafeResponse } from '@quarry/safe-fetch';
import { readAddress } from '../addresses/read-address.js';
import type { Reply } from '../politeness/polite-client.js';
import { classifyContent } from './classify-content.js';
import type { Validators, Visit } from './page.js';
import { problemOfError, problemOfStatus, problemVisit } from './page-problems.js';
import { readLimitedBody, TooLarge } from '../politeness/read-limited-body.js';
import { readFile } from './read-file.js';
import { readPage } from './read-page.js';
import { type VisitParts, type Answer } from './visit-parts.js';

const ACCEPT = 'text/html,application/xhtml+xml,application/pdf;q=0.9,text/*;q=0.8,*/*;q=0.5';

/**
 * Asks for one address, once, and reads what comes.
 *
 * @param known validators of the last time, so that a page that has not changed is not sent again
 * @throws the signal's reason
 */
export async function visitAddress(
  parts: VisitParts,
  address: string,
  options: { readonly known?: Validators | undefined; readonly signal: AbortSignal },
): Promise<Visit> {
  const ask = { headers: { accept: ACCEPT, ...conditions(options.known) }, signal: options.signal };
  try {
    const reply = await parts.client.ask(address, ask, (response) => readAnswer(parts, address, response));
    if (reply.kind !== 'answer') return withoutAnswer(reply);
    return await visitOf(parts, reply.value, reply.retryAfterMs, options.signal);
  } catch (error) {
    if (error instanceof TooLarge) return problemVisit('too_large', { found: error.message });
    throw error;
  }
}

function conditions({ etag, lastModified }: Validators = {}): Record<string, string> {
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  };
}

function withoutAnswer(reply: Exclude<Reply<Answer>, { kind: 'answer' }>): Visit {
  if (reply.kind === 'disallowed') return problemVisit('robots_disallowed');
  if (reply.kind === 'error') return { kind: 'problem', problem: problemOfError(reply.error), links: [] };
  return problemVisit('robots_unreachable', {
    found: reply.message,
    passing: true,
    retryAfterMs: reply.retryAfterMs,
  });
}

async function readAnswer(parts: VisitParts, address: string, response: SafeResponse): Promise<Answer> {
  const { status, headers } = response;
  const content = classifyContent(headers.get('content-type'), address);
  const wanted = isSuccess(status) && content.kind !== 'unsupported';
  if (!wanted) await response.discard();
  const maxBytes = content.kind === 'page' ? parts.maxPageBytes : parts.maxFileBytes;
  const bytes = wanted ? await readLimitedBody(response, maxBytes) : new Uint8Array();
  return { address, status, headers, bytes };
}

async function visitOf(
  parts: VisitParts,
  answer: Answer,
  retryAfterMs: number | undefined,
  signal: AbortSignal,
): Promise<Visit> {
  const { address, status, headers } = answer;
  if (status === 304) return { kind: 'unchanged' };
  if (status >= 300 && status < 400) return redirect(address, status, headers.get('location'));
  if (!isSuccess(status)) return { kind: 'problem', problem: problemOfStatus(status, retryAfterMs), links: [] };
  const content = classifyContent(headers.get('content-type'), address);
  if (content.kind === 'unsupported') return problemVisit('unsupported_type', { found: content.mimeType });
  return content.kind === 'page' ? readPage(parts, answer, signal) : readFile(parts, answer, content.mimeType);
}

function redirect(address: string, status: number, location: string | undefined): Visit {
  const to = location === undefined ? undefined : readAddress(location, address);
  if (to !== undefined) return to === address ? problemVisit('redirect_loop') : { kind: 'redirect', to };
  return problemVisit('fetch_failed', { found: `the status ${status} without the address of another page` });
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
