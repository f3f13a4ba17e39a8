import { readPreference, writePreference } from '../../preferences/preferences.js';

/**
 * The ids of the datastore that the first-steps screen created last, of the conversation about it, and of the message
 * whose answer was being generated when the user left the screen.
 */
interface LastSteps {
  readonly datastoreId: string;
  readonly conversationId: string | undefined;
  readonly runningMessageId?: string | undefined;
}

/** The last steps of each organization in this browser, the newest first. */
type StepsHistory = readonly (LastSteps & { readonly organizationId: string })[];

/** Maximum number of organizations whose last steps the browser stores. */
const MAX_ORGANIZATIONS = 20;

/**
 * Reads the last steps of an organization from the storage of the browser. Their datastore may have been deleted since
 * they were stored.
 */
export function readLastSteps(organizationId: string): LastSteps | undefined {
  return readStepsHistory().find((steps) => steps.organizationId === organizationId);
}

/** Stores the last steps of an organization in the browser. Only ids are stored, no content. */
export function storeLastSteps(organizationId: string, steps: LastSteps): void {
  writeStepsHistory(replaceLastSteps(readStepsHistory(), organizationId, steps));
}

/** Removes the last steps of an organization if they belong to this datastore. */
export function removeLastSteps(organizationId: string, datastoreId: string): void {
  if (readLastSteps(organizationId)?.datastoreId === datastoreId) {
    writeStepsHistory(replaceLastSteps(readStepsHistory(), organizationId, undefined));
  }
}

/** Returns the history with the entry of an organization replaced by `steps`, or removed if `steps` is undefined. */
export function replaceLastSteps(
  history: StepsHistory,
  organizationId: string,
  steps: LastSteps | undefined,
): StepsHistory {
  const others = history.filter((other) => other.organizationId !== organizationId);
  return [...(steps === undefined ? [] : [{ organizationId, ...steps }]), ...others].slice(0, MAX_ORGANIZATIONS);
}

/** Parses a history from its stored JSON text. Omits entries that are not valid. */
export function parseStepsHistory(text: string): StepsHistory {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.flatMap(parseStepsEntry).slice(0, MAX_ORGANIZATIONS) : [];
  } catch {
    return [];
  }
}

function parseStepsEntry(value: unknown): StepsHistory {
  if (typeof value !== 'object' || value === null || !('organizationId' in value) || !('datastoreId' in value))
    return [];
  const { organizationId, datastoreId } = value;
  if (typeof organizationId !== 'string' || typeof datastoreId !== 'string') return [];
  const conversationId =
    'conversationId' in value && typeof value.conversationId === 'string' ? value.conversationId : undefined;
  if (!('runningMessageId' in value) || typeof value.runningMessageId !== 'string')
    return [{ organizationId, datastoreId, conversationId }];
  return [{ organizationId, datastoreId, conversationId, runningMessageId: value.runningMessageId }];
}

function readStepsHistory(): StepsHistory {
  return parseStepsHistory(readPreference('quarry.first-steps') ?? '[]');
}

function writeStepsHistory(history: StepsHistory): void {
  writePreference('quarry.first-steps', history.length === 0 ? undefined : JSON.stringify(history));
}
