const MILLISECONDS = 1_000;

/** Returns a time as OpenAI's API shows it: in seconds since 1970. */
export function toUnixTime(date: Date): number {
  return Math.floor(date.getTime() / MILLISECONDS);
}
