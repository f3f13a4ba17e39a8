import { addressKey } from '../addresses/address-key.js';
import { isAsset } from '../addresses/asset-endings.js';
import { isPathTrap, type SiteScope } from '../addresses/site-scope.js';
import { problem } from '../pages/page-problems.js';
import type { Copies } from './copies.js';
import type { Frontier, FrontierEntry } from './frontier.js';
import type { Finding } from './look-up.js';
import type { KeptPages } from './kept-pages.js';
import type { PageRecord } from './page-record.js';
import type { PageRecords } from './page-records.js';
import type { Reason, SiteDocuments } from './site-documents.js';

/** What a crawl knows so far. */
export interface SiteCrawl {
  readonly scope: SiteScope;
  readonly followsLinks: boolean;
  readonly frontier: Frontier;
  readonly copies: Copies;
  readonly records: PageRecords;
  readonly kept: KeptPages;
  /** Whether the run was started before: a page may have been handed on that was not written down. */
  readonly isTakenOver: boolean;
  readonly pages: SiteDocuments;
  /** Where redirects lead, by where they begin. */
  readonly redirects: Map<string, string>;
  /** Pages of which nobody knows where they lead. */
  readonly unknownLinks: Set<string>;
}

const MAX_REDIRECTS = 5;

/**
 * Does what is to be done about an address, and writes it down last: a run that is taken over does again what was not written
 * down, which changes nothing, because what is told has an identity.
 */
export async function settleFinding(crawl: SiteCrawl, entry: FrontierEntry, found: Finding): Promise<void> {
  follow(crawl, entry, found.record);
  const finding = await withContentStored(crawl, entry, found);
  await nameIt(crawl, entry, finding);
  const { record, dealtWith } = finding;
  if (!dealtWith) await crawl.records.write(entry.address, record);
  if (dealtWith || !crawl.isTakenOver) crawl.kept.keep(entry.address, record.content);
  else crawl.kept.keepEvery(entry.address);
}

async function withContentStored(
  { records }: SiteCrawl,
  { address }: FrontierEntry,
  finding: Finding,
): Promise<Finding> {
  const { bytes, record } = finding;
  if (bytes === undefined || record.content === undefined) return finding;
  return { ...finding, record: { ...record, content: await records.writeContent(address, record.content, bytes) } };
}

/** Adds what an address leads to. */
function follow(crawl: SiteCrawl, entry: FrontierEntry, record: PageRecord): void {
  const { problem: found, content, redirectTo } = record;
  if (record.found === 'redirect' && redirectTo !== undefined && takes(crawl, redirectTo)) {
    crawl.redirects.set(entry.address, addressKey(redirectTo));
    if (entry.redirects < MAX_REDIRECTS)
      crawl.frontier.add({ ...entry, request: redirectTo, redirects: entry.redirects + 1 });
  }
  if (!crawl.followsLinks || record.found === 'redirect') return;
  const links = record.found === 'content' ? content?.links : found?.links;
  if (links === undefined) crawl.unknownLinks.add(entry.address);
  for (const request of links ?? []) {
    if (takes(crawl, request)) crawl.frontier.add({ request, depth: entry.depth + 1, redirects: 0 });
  }
}

/** Whether an address is worth a request in this crawl. */
export function takes({ scope }: Pick<SiteCrawl, 'scope'>, address: string): boolean {
  return scope.includes(address) && !isAsset(address) && !isPathTrap(address);
}

/** Hands the page on or says why not. */
async function nameIt(crawl: SiteCrawl, entry: FrontierEntry, finding: Finding): Promise<void> {
  const { record } = finding;
  // The root of a site may itself be none of the pages that are wanted.
  if (!crawl.scope.includes(entry.request)) return;
  if (record.found === 'redirect') return nameRedirect(crawl, entry, finding);
  if (record.found === 'problem' && record.problem !== undefined)
    return leaveOut(crawl, entry.address, finding, record.problem);
  return nameContent(crawl, entry, finding);
}

async function nameRedirect(crawl: SiteCrawl, entry: FrontierEntry, finding: Finding): Promise<void> {
  const to = finding.record.redirectTo ?? '';
  if (!takes(crawl, to))
    return leaveOut(crawl, entry.address, finding, problem('redirected_out_of_scope', { found: to }));
  if (entry.redirects >= MAX_REDIRECTS)
    return leaveOut(crawl, entry.address, finding, problem('too_many_redirects', { found: to }));
  // Another name of a page is no document of its own.
}

async function nameContent(crawl: SiteCrawl, entry: FrontierEntry, finding: Finding): Promise<void> {
  const { address } = entry;
  const { content } = finding.record;
  if (content === undefined) throw new Error(`expected content in the record of ${address}, found none`);
  const { contentHash } = content;
  const canonical = content.canonical === undefined ? address : addressKey(content.canonical);
  if (canonical !== address && awaits(crawl, entry, content.canonical ?? address)) {
    crawl.copies.defer({ address, canonical, contentHash });
    return;
  }
  const copyOf = crawl.copies.keep(address, contentHash);
  if (copyOf === undefined) await index(crawl, address, finding);
  else await leaveOut(crawl, address, finding, copy(copyOf));
}

/** Whether the crawl comes, or has come, by the canonical address. @param canonical as the page writes it */
function awaits({ scope, followsLinks, frontier }: SiteCrawl, entry: FrontierEntry, canonical: string): boolean {
  if (frontier.has(canonical)) return true;
  return followsLinks && takes({ scope }, canonical) && frontier.add({ ...entry, request: canonical, redirects: 0 });
}

/** Decides on the pages that were put off, when all others are settled. */
export async function settleDeferred(crawl: SiteCrawl): Promise<void> {
  for (const deferred of crawl.copies.deferred) {
    const { address } = deferred;
    const record = await crawl.records.read(address);
    if (record === undefined) throw new Error(`expected a record of ${address}, which this run has written`);
    const finding: Finding = { record, bytes: undefined, dealtWith: false, passing: undefined };
    const keptInstead = crawl.copies.decide(deferred);
    if (keptInstead === undefined) await index(crawl, address, finding);
    else await leaveOut(crawl, address, finding, copy(keptInstead));
  }
}

/** Names the redirects that lead in a circle: no page comes of them. */
export async function settleCircles(crawl: SiteCrawl): Promise<void> {
  for (const start of crawl.redirects.keys()) {
    const seen = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      at = crawl.redirects.get(at);
    }
    if (at === undefined) continue;
    await crawl.pages.leaveOut(start, problem('redirect_loop', { found: at }));
  }
}

/** Says of pages that nobody asked for why that is. What is known of a page from before stays as it is. */
export async function nameLeftOut(
  { records, pages }: Pick<SiteCrawl, 'records' | 'pages'>,
  addresses: Iterable<string>,
  why: 'out_of_scope' | 'limit_reached',
): Promise<void> {
  for (const address of addresses) {
    if ((await records.read(address)) === undefined) await pages.leaveUnrequested(address, problem(why));
  }
}

function copy(of: string): ReturnType<typeof problem> {
  return problem('duplicate_of', { found: of });
}

async function index(crawl: SiteCrawl, address: string, { record, dealtWith }: Finding): Promise<void> {
  const { content } = record;
  if (content === undefined) throw new Error(`expected content in the record of ${address}, found none`);
  if (!dealtWith) await crawl.pages.index(address, content, crawl.records.contentKey(address, content));
}

async function leaveOut(
  crawl: SiteCrawl,
  address: string,
  { record, dealtWith }: Finding,
  reason: Reason,
): Promise<void> {
  if (!dealtWith) await crawl.pages.leaveOut(address, reason, record.content?.name);
}
