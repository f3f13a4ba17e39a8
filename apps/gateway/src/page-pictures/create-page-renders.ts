import { setTimeout as delay } from 'node:timers/promises';
import { pagePictureQueue, type PagePictureJobs, type RenderPage } from '@quarry/contracts';
import type { Producer } from '@quarry/queue';
import { markBlobsDiscarded } from '../blobs/discarded-blobs.js';
import type { Gateway } from '../gateway.js';
import { problem } from '../problems.js';
import { findPicture, isPictureFailure } from './find-picture.js';
import type { PictureLocation } from './locate-picture.js';
import { PAGE_RENDER_LIMITS, type PageRenderLimits, type PageRenders } from './page-renders.js';

const MIN_POLL_MS = 50;
const MAX_POLL_MS = 500;
const POLL_GROWTH = 1.5;
const MINUTE_MS = 60_000;

/**
 * The value of `Retry-After` in seconds: `busy` if too many pages are being rendered or too many requests wait, `late`
 * if a page was not rendered in time.
 */
const RETRY_AFTER_SECONDS = { busy: '2', late: '5' };

interface RenderParts extends Pick<Gateway, 'db' | 'blobs' | 'clock'> {
  readonly producer: Producer<PagePictureJobs>;
}

/** Describes a page for which a worker renders a picture. */
interface Render {
  readonly organizationId: string;
  /** Resolves when the workers have stored a picture of the page or a failure. */
  readonly settled: Promise<void>;
  /** Number of requests that wait for the page. */
  waiting: number;
}

/**
 * Creates the renderer of page pictures, which enqueues jobs for the ingestion workers.
 *
 * @param queues the queues of the installation; the jobs for the workers are added to the page picture queue
 */
export function createPageRenders(
  { queues, ...stores }: Pick<Gateway, 'db' | 'queues' | 'blobs' | 'clock'>,
  limits = PAGE_RENDER_LIMITS,
): PageRenders {
  const parts = { ...stores, producer: queues.createProducer(pagePictureQueue) };
  const renders = new Map<string, Render>();
  const closed = new AbortController();

  const startPageRender = (location: PictureLocation): Render => {
    const { organizationId, pictureKey } = location;
    const own = [...renders.values()].filter((render) => render.organizationId === organizationId);
    if (own.length >= limits.perOrganization) {
      throw createBusyProblem(
        `The organization is rendering ${limits.perOrganization} pages. Request further pages when one is complete.`,
      );
    }
    const expired = AbortSignal.timeout(limits.renderMs);
    const settled = requestPageRender(parts, location, AbortSignal.any([closed.signal, expired]))
      .catch((error: unknown) => {
        closed.signal.throwIfAborted();
        throw expired.aborted ? createNotRenderedProblem() : error;
      })
      .finally(() => renders.delete(pictureKey));
    // Prevents an unhandled rejection. If all requests for the page were aborted, no other code handles a rejection of
    // this promise.
    settled.catch(() => undefined);
    const render = { organizationId, settled, waiting: 0 };
    renders.set(pictureKey, render);
    return render;
  };

  return {
    waitForPicture: async (location, signal) => {
      requireWaitingCapacity([...renders.values()], location.organizationId, limits);
      const render = renders.get(location.pictureKey) ?? startPageRender(location);
      render.waiting += 1;
      try {
        await waitWithTimeout(render.settled, limits.waitMs, signal);
      } finally {
        render.waiting -= 1;
      }
    },
    close: () => {
      closed.abort(problem('service_stopping', 'The service is stopping. Send the request again.'));
    },
  };
}

/**
 * Refuses a request if too many requests already wait for pages.
 *
 * @throws Problem 429 if they are requests of the organization; 503 if they are requests of all organizations
 */
function requireWaitingCapacity(renders: readonly Render[], organizationId: string, limits: PageRenderLimits): void {
  const own = renders.filter((render) => render.organizationId === organizationId);
  if (countWaiting(own) >= limits.waitingPerOrganization) {
    throw createBusyProblem(
      `${limits.waitingPerOrganization} requests of the organization wait for pages. Request further pages when one is complete.`,
    );
  }
  if (countWaiting(renders) >= limits.waiting) throw createOverloadProblem();
}

function countWaiting(renders: readonly Render[]): number {
  return renders.reduce((sum, { waiting }) => sum + waiting, 0);
}

/**
 * Adds a job that renders a page, and waits until a worker has stored the picture, or the reason why it could not be
 * rendered. Before that, schedules the removal of the blobs of picture and reason after `removeAfter`.
 *
 * @throws Problem `dependency_unavailable` if the job cannot be added; AbortError if `signal` aborts
 */
async function requestPageRender(
  { db, producer, blobs, clock }: RenderParts,
  { organizationId, blobKey, page, width, pictureKey, failureKey, removeAfter }: PictureLocation,
  signal: AbortSignal,
): Promise<void> {
  const keys = [pictureKey, failureKey].map((key) => ({ key, datasourceId: null }));
  await markBlobsDiscarded(db, organizationId, keys, removeAfter);
  const round = Math.floor(clock().getTime() / MINUTE_MS);
  await addRenderJob(producer, { organizationId, blobKey, page, width, pictureKey, failureKey, round });
  let pollMs = MIN_POLL_MS;
  for (;;) {
    await delay(pollMs, undefined, { signal, ref: false });
    const found = await findPicture(blobs, { pictureKey, failureKey }, clock());
    if (found !== undefined) {
      if (!isPictureFailure(found)) found.destroy();
      return;
    }
    pollMs = Math.min(MAX_POLL_MS, pollMs * POLL_GROWTH);
  }
}

async function addRenderJob(producer: RenderParts['producer'], job: RenderPage): Promise<void> {
  try {
    await producer.add('render-page', job);
  } catch (error) {
    throw problem('dependency_unavailable', 'The queue is unavailable. Retry later.', { cause: error });
  }
}

/**
 * Waits until a page is rendered.
 *
 * @throws Problem 503 after `waitMs` milliseconds; the reason of `signal` if it aborts
 */
async function waitWithTimeout(settled: Promise<void>, waitMs: number, signal: AbortSignal): Promise<void> {
  const ended = new AbortController();
  const endWait = async (): Promise<never> => {
    const isLate = await delay(waitMs, true, { signal: AbortSignal.any([signal, ended.signal]) }).catch(() => false);
    signal.throwIfAborted();
    throw isLate
      ? createNotRenderedProblem()
      : new Error('expected the waiting time to expire first, found a rendered page');
  };
  try {
    await Promise.race([settled, endWait()]);
  } finally {
    ended.abort();
  }
}

function createBusyProblem(detail: string): Error {
  return problem('too_many_page_renders', detail, { headers: { 'Retry-After': RETRY_AFTER_SECONDS.busy } });
}

function createOverloadProblem(): Error {
  return problem('overloaded', 'Too many requests wait for pages. Send the request again later.', {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS.busy },
  });
}

function createNotRenderedProblem(): Error {
  return problem('page_not_rendered', 'The page is not rendered yet. Send the request again later.', {
    headers: { 'Retry-After': RETRY_AFTER_SECONDS.late },
  });
}
