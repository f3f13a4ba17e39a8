/** Holds the robots directives of a page for a crawler. */
export interface RobotsDirectives {
  /** Forbids indexing the page. */
  readonly noindex: boolean;
  /** Forbids following the links of the page. */
  readonly nofollow: boolean;
}

const NAMED_DIRECTIVE = /^\s*([a-z_-]+)\s*:\s*(.*)$/s;
const DIRECTIVES_WITH_VALUE = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview']);

/**
 * Parses values of `X-Robots-Tag` headers or `robots` meta tags. All values apply together, so the strictest one decides.
 *
 * @param productToken the name of the crawler; directives for other names (`otherbot: noindex`) are ignored
 * @param now milliseconds since 1970, for `unavailable_after`
 */
export function parseRobotsDirectives(values: readonly string[], productToken: string, now: number): RobotsDirectives {
  const applicable = values.flatMap((value) => selectDirectives(value, productToken.toLowerCase()));
  const none = applicable.includes('none');
  return {
    noindex: none || applicable.includes('noindex') || applicable.some((directive) => isExpired(directive, now)),
    nofollow: none || applicable.includes('nofollow'),
  };
}

function selectDirectives(value: string, productToken: string): readonly string[] {
  let appliesToUs = true;
  return value
    .toLowerCase()
    .split(',')
    .flatMap((part) => {
      const [, name = '', directive = ''] = NAMED_DIRECTIVE.exec(part) ?? [];
      const namesCrawler = name !== '' && !DIRECTIVES_WITH_VALUE.has(name);
      // The name of a crawler also applies to the following directives.
      if (namesCrawler) appliesToUs = name === productToken;
      return appliesToUs ? [(namesCrawler ? directive : part).trim()] : [];
    });
}

function isExpired(directive: string, now: number): boolean {
  const date = /^unavailable_after\s*:\s*(.+)$/.exec(directive)?.[1];
  return date !== undefined && Date.parse(date) < now;
}
