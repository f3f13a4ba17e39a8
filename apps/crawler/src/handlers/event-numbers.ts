/** The ingestion worker numbers the events of a page's run from 10,000. */
export const PAGE_EVENTS = { perStart: 100, below: 10_000 } as const;
/** A site's run ends by the gateway's count: the numbers are the crawler's alone. */
export const SITE_EVENTS = { perStart: 10_000, below: 2_000_000_000 } as const;
