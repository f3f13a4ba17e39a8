import type { ListingDryRunResponse, ListingField } from '@quarry/contracts';
import {
  buildListingParameters,
  fetchListingPage,
  type Listing,
  type ListedItem,
  ListingScan,
  PermanentListingError,
  validateItem,
  TemporaryListingError,
  toCanonicalJson,
} from '@quarry/item-listing';
import type { SafeFetch } from '@quarry/safe-fetch';

/**
 * The limits of a dry run of a listing. They keep it short, because it occupies the gateway and a person waits for its
 * result.
 */
const LIMITS = {
  /** Number of read items from which the dry run requests no further page of the listing. */
  items: 1_000,
  /** Maximum number of items that one request to the listing asks for. */
  take: 100,
  /** Maximum size of a response of the listing in bytes, both compressed and decompressed. */
  pageBytes: 10 * 1024 * 1024,
  /** Maximum duration of the dry run, in milliseconds. */
  totalMs: 20_000,
};

export interface ListingDryRun {
  readonly listing: Listing;
  /** Number of items that a sync reads with one request. */
  readonly pageSize: number;
  readonly signal: AbortSignal;
  /**
   * Aborts when the dry run must end and return the findings so far. Absent: the dry run ends after its maximum
   * duration.
   */
  readonly timeout?: AbortSignal;
}

/**
 * Reads the beginning of a listing with the same requests and checks as a sync, and stores nothing.
 *
 * @throws the reason of `signal`, if it aborts
 */
export async function runListingDryRun(
  { listingFetch, clock }: { readonly listingFetch: Pick<SafeFetch, 'fetch'>; readonly clock: () => Date },
  { listing, pageSize, signal, timeout = AbortSignal.timeout(LIMITS.totalMs) }: ListingDryRun,
): Promise<ListingDryRunResponse> {
  const { pageBytes, totalMs, take, items } = LIMITS;
  const request = {
    signal: AbortSignal.any([signal, timeout]),
    limits: { wireBytes: pageBytes, bodyBytes: pageBytes, totalMs, headersMs: totalMs },
  };
  const scan = new ListingScan(
    async (query) => fetchListingPage(listingFetch, listing, buildListingParameters(query), request),
    {
      ...{ take: Math.min(pageSize, take), modifiedAfter: '', now: clock },
    },
  );
  const findings = new ListingFindings();
  const end = await readListingPages(scan, findings, items).catch((error: unknown) => {
    signal.throwIfAborted();
    return timeout.aborted ? describeTimeoutEnd(scan) : describeErrorEnd(error);
  });
  return { totalCount: scan.totalCount ?? null, ...findings.toReport(), ...end };
}

type ReadingEnd = Pick<ListingDryRunResponse, 'isComplete' | 'error'>;

/** Reads pages until the listing ends or at least `maxItems` items were read. */
async function readListingPages(scan: ListingScan, findings: ListingFindings, maxItems: number): Promise<ReadingEnd> {
  for (;;) {
    const page = await scan.readNextPage();
    if (page === undefined) return { isComplete: true, error: null };
    findings.addItems(page.items);
    if (findings.readCount >= maxItems) return { isComplete: scan.hasEnded, error: null };
  }
}

/**
 * Describes the end of a dry run that has reached its maximum duration. This is an error only if no page was received.
 */
function describeTimeoutEnd({ totalCount }: ListingScan): ReadingEnd {
  if (totalCount !== undefined) return { isComplete: false, error: null };
  const message = `expected a response within ${LIMITS.totalMs / 1_000} seconds, found none`;
  return { isComplete: false, error: { code: 'listing_timeout', message } };
}

/** Describes the end of a dry run that a listing error ended. Throws every other error. */
function describeErrorEnd(error: unknown): ReadingEnd {
  if (!(error instanceof PermanentListingError || error instanceof TemporaryListingError)) throw error;
  const { code, message } = error;
  return { isComplete: false, error: { code, message } };
}

const MAX_FIELDS = 50;
const MAX_COUNTED_FIELDS = 1_000;
const MAX_FIRST_ITEMS = 5;
const MAX_PROBLEMS = 5;
const MAX_NAME_LENGTH = 100;
const MAX_EXAMPLE_LENGTH = 80;

/** Collects the findings of a dry run: the numbers of valid and invalid items, the item fields, and the problems. */
class ListingFindings {
  /** The document keys of the counted items. Pages can overlap, but each item counts once. */
  readonly #keys = new Set<string>();
  readonly #fields = new Map<string, { items: number; example: string | null }>();
  readonly #firstItems: ListingDryRunResponse['firstItems'][number][] = [];
  readonly #problems: ListingDryRunResponse['problems'][number][] = [];
  #valid = 0;

  get readCount(): number {
    return this.#keys.size;
  }

  addItems(items: readonly ListedItem[]): void {
    for (const item of items) {
      if (this.#keys.has(item.documentKey)) continue;
      this.#keys.add(item.documentKey);
      this.#addFields(item.raw);
      this.#validateAndCountItem(item);
    }
  }

  toReport(): Pick<ListingDryRunResponse, 'read' | 'valid' | 'invalid' | 'fields' | 'firstItems' | 'problems'> {
    const { size: read } = this.#keys;
    const fields = [...this.#fields].map(([name, found]): ListingField => ({ name, ...found }));
    return {
      ...{ read, valid: this.#valid, invalid: read - this.#valid },
      fields: fields.toSorted((a, b) => b.items - a.items).slice(0, MAX_FIELDS),
      firstItems: this.#firstItems,
      problems: this.#problems,
    };
  }

  #validateAndCountItem({ id, raw }: ListedItem): void {
    const reading = validateItem({ id, raw });
    if (reading.valid) {
      this.#valid += 1;
      if (this.#firstItems.length === MAX_FIRST_ITEMS) return;
      const { fields } = reading.item;
      this.#firstItems.push({ itemId: String(fields.id), title: formatExample(fields.title) ?? '' });
    } else if (this.#problems.length < MAX_PROBLEMS) {
      this.#problems.push({ itemId: id ?? null, message: reading.problem });
    }
  }

  #addFields(raw: unknown): void {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return;
    for (const [fullName, value] of Object.entries(raw)) {
      const name = fullName.slice(0, MAX_NAME_LENGTH).toWellFormed();
      const known = this.#fields.get(name);
      // The number of fields is limited to save memory, because some listings use ids as the names of fields.
      if (known === undefined && this.#fields.size >= MAX_COUNTED_FIELDS) continue;
      const example = known?.example ?? formatExample(value);
      this.#fields.set(name, { items: (known?.items ?? 0) + 1, example });
    }
  }
}

/** Formats the beginning of a field value on one line, as an example. Returns null for an empty value. */
function formatExample(value: unknown): string | null {
  if (value === null || value === '') return null;
  const text = typeof value === 'string' ? value : toCanonicalJson(value);
  const line = text
    .slice(0, 10 * MAX_EXAMPLE_LENGTH)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line === '') return null;
  return line.length > MAX_EXAMPLE_LENGTH ? `${line.slice(0, MAX_EXAMPLE_LENGTH).toWellFormed()}…` : line;
}
