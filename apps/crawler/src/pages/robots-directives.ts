/** What a page asks of crawlers. */
export interface RobotsDirectives {
  /** Keep it out of the index. */
  readonly noindex: boolean;
  /** Follow none of its links. */
  readonly nofollow: boolean;
}

const NAMED = /^\s*([a-z_-]+)\s*:\s*(.*)$/s;
const VALUED = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview']);

/**
 * Reads values of `X-Robots-Tag` headers or of `robots` meta tags. Several add up, the stricter one wins.
 *
 * @param productToken directives for another crawler by name (`otherbot: noindex`) are not ours
 * @param now milliseconds since 1970, for `unavailable_after`
 */
export function robotsDirectives(values: readonly string[], productToken: string, now: number): RobotsDirectives {
  const mine = values.flatMap((value) => directivesFor(value, productToken.toLowerCase()));
  const none = mine.includes('none');
  return {
    noindex: none || mine.includes('noindex') || mine.some((directive) => isPast(directive, now)),
    nofollow: none || mine.includes('nofollow'),
  };
}

function directivesFor(value: string, productToken: string): readonly string[] {
  let forUs = true;
  return value
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [, name = '', directive = ''] = NAMED.exec(part) ?? [];
      const namesCrawler = name !== '' && !VALUED.has(name);
      // The name holds for the directives that follow it, too.
      if (namesCrawler) forUs = name === productToken;
      return forUs ? [(namesCrawler ? directive : part).trim()] : [];
    });
}

function isPast(directive: string, now: number): boolean {
  const date = /^unavailable_after\s*:\s*(.+)$/.exec(directive)?.[1];
  return date !== undefined && Date.parse(date) < now;
}
