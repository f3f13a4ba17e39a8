import { describe, expect, it } from 'vitest';
import { parseRobotsTxt } from './robots-txt.js';

const joinLines = (...text: readonly string[]): string => text.join('\n');
const isAllowed = (text: string, path: string, agent = 'QuarryBot'): boolean =>
  parseRobotsTxt(text, agent).allows(path);

describe('parseRobotsTxt', () => {
  // RFC 9309 section 5.1
  const simple = joinLines(
    'User-Agent: *',
    'Disallow: *.gif$',
    'Disallow: /example/',
    'Allow: /publications/',
    '',
    'User-Agent: foobot',
    'Disallow:/',
    'Allow:/example/page.html',
    'Allow:/example/allowed.gif',
    '',
    'User-Agent: barbot',
    'User-Agent: bazbot',
    'Disallow: /example/page.html',
    '',
    'User-Agent: quxbot',
    '',
    'EOF',
  );
  it.each([
    ['anybot', '/publications/a', true],
    ['anybot', '/example/a', false],
    ['anybot', '/pictures/a.gif', false],
    ['anybot', '/pictures/a.gif?big', true],
    ['anybot', '/', true],
    ['foobot', '/example/page.html', true],
    ['FooBot', '/example/allowed.gif', true],
    ['foobot', '/publications/', false],
    ['barbot', '/example/page.html', false],
    ['bazbot', '/example/page.html', false],
    ['barbot', '/example/a.gif', true],
    ['quxbot', '/example/', true],
  ])(
    'the robots.txt in the first example of RFC 9309 decides whether the crawler %s may request the path %s: %s',
    (agent, path, expected) => {
      expect(isAllowed(simple, path, agent)).toBe(expected);
    },
  );

  // RFC 9309 section 5.2
  it('the longest rule of a robots.txt that matches a path decides whether the path is allowed', () => {
    const text = joinLines('User-Agent: foobot', 'Allow: /example/page/', 'Disallow: /example/page/disallowed.gif');
    expect(isAllowed(text, '/example/page/disallowed.gif', 'foobot')).toBe(false);
    expect(isAllowed(text, '/example/page/other', 'foobot')).toBe(true);
  });

  // RFC 9309 section 2.2.2, the table of octets
  it.each([
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar', false],
    ['/foo/bar/\u30c4', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%E3%83%84', '/foo/bar/%e3%83%84'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
    ['/~joe', '/%7Ejoe'],
  ])(
    'parseRobotsTxt normalizes the percent-encoding of the rule %s and of the path %s before it compares them',
    (rule, path, matches = true) => {
      expect(isAllowed(joinLines('User-agent: *', `Disallow: ${rule}`), path)).toBe(!matches);
    },
  );

  // These are examples that the large search engines publish for RFC 9309.
  it.each([
    [
      '/fish',
      ['/fish', '/fish.html', '/fish/salmon', '/fishheads/yummy', '/fish.php?id=anything'],
      ['/Fish.asp', '/catfish', '/?id=fish', '/desert/fish'],
    ],
    ['/fish*', ['/fish', '/fish.html', '/fishheads'], ['/Fish.asp', '/catfish']],
    [
      '/fish/',
      ['/fish/', '/fish/?id=anything', '/fish/salmon.htm'],
      ['/fish', '/fish.html', '/animals/fish/', '/Fish/Salmon.asp'],
    ],
    [
      '/*.php',
      ['/index.php', '/filename.php', '/folder/any.php.file.html', '/filename.php/', '/index?f=filename.php/'],
      ['/', '/windows.PHP'],
    ],
    [
      '/*.php$',
      ['/filename.php', '/folder/filename.php'],
      ['/filename.php?parameters', '/filename.php/', '/filename.php5', '/windows.PHP'],
    ],
    ['/fish*.php', ['/fish.php', '/fishheads/catfish.php?parameters'], ['/Fish.PHP']],
    ['*', ['/', '/any'], []],
    ['/a*b*c$', ['/abc', '/a-b-c', '/abcbc'], ['/abcd', '/acb']],
    ['/a$b', ['/a$b'], ['/a']],
  ])('the robots.txt rule %s matches the paths %j, and does not match the paths %j', (rule, matching, others) => {
    const text = joinLines('User-agent: *', `Disallow: ${rule}`);
    expect(matching.filter((path) => isAllowed(text, path))).toEqual([]);
    expect(others.filter((path) => !isAllowed(text, path))).toEqual([]);
  });

  it.each([
    [['Allow: /p', 'Disallow: /'], '/page', true],
    [['Disallow: /folder', 'Allow: /folder'], '/folder/page', true],
    [['Allow: /folder', 'Disallow: /folder'], '/folder/page', true],
    [['Allow: /page', 'Disallow: /*.htm'], '/page.htm', false],
    [['Allow: /$', 'Disallow: /'], '/', true],
    [['Allow: /$', 'Disallow: /'], '/page.htm', false],
    [['Disallow:'], '/page', true],
    [['Disallow: /'], '/robots.txt', true],
  ])('the robots.txt rules %j decide whether the path %s is allowed: %s', (rules, path, expected) => {
    expect(isAllowed(joinLines('User-agent: *', ...rules), path)).toBe(expected);
  });

  it('parseRobotsTxt combines the groups that name the crawler, and ignores the groups for *', () => {
    const text = joinLines(
      'User-agent: quarrybot/2.0',
      'Disallow: /a',
      'User-agent: *',
      'Disallow: /c',
      'User-agent: QUARRYBOT',
      'Disallow: /b',
    );
    expect(['/a', '/b', '/c'].map((path) => isAllowed(text, path))).toEqual([false, false, true]);
  });

  it('parseRobotsTxt ignores groups for crawlers with a similar name', () => {
    const text = joinLines('User-agent: QuarryBot-Images', 'User-agent: Quarry', 'Disallow: /');
    expect(isAllowed(text, '/')).toBe(true);
  });

  it.each([
    'Sitemap: https://example.com/s.xml',
    'Host: example.com',
    'Crawl-delay: 2',
    '# a comment',
    '',
    'no record',
  ])('parseRobotsTxt ignores the line %j between two User-agent lines', (between) => {
    const text = joinLines('User-agent: quarrybot', between, 'User-agent: other', 'Disallow: /');
    expect(isAllowed(text, '/')).toBe(false);
  });

  it('parseRobotsTxt ignores comments, unusual spacing, a byte order mark, and rules before the first User-agent line', () => {
    const text = joinLines('\uFEFFDisallow: /x', ' user-agent :  * # all', '\tDISALLOW:/y#z', 'Disallow: /w # w');
    expect(['/x', '/y', '/w', '/z'].map((path) => isAllowed(text, path))).toEqual([true, false, false, true]);
    expect(isAllowed('\uFEFFUser-agent: *\r\nDisallow: /\r\n', '/a')).toBe(false);
    expect(isAllowed('User-agent: *\rDisallow: /\r', '/a')).toBe(false);
  });

  it('parseRobotsTxt reads lines of many spaces in linear time, and ignores patterns that are longer than any URL', () => {
    const spaces = ' '.repeat(400_000);
    const long = `Disallow: /${'%3'.repeat(30_000)}1`;
    const text = joinLines('User-agent: *', `${spaces}x`, long, `Disallow${spaces}: /y`);
    expect(['/x', '/y'].map((path) => isAllowed(text, path))).toEqual([true, false]);
  });

  it('parseRobotsTxt returns the crawl delay of the crawler’s group, and all sitemaps', () => {
    const text = joinLines(
      'Sitemap: https://example.com/one.xml',
      'User-agent: *',
      'Crawl-delay: 9',
      'User-agent: quarrybot',
      'Crawl-delay: 0.5',
      'sitemap: /two.xml',
    );
    // A Crawl-delay line does not end the list of User-agent lines, so both agents share the first delay.
    expect(parseRobotsTxt(text, 'QuarryBot').crawlDelaySeconds).toBe(9);
    const separate = joinLines(
      'User-agent: *',
      'Crawl-delay: 9',
      'Disallow: /x',
      'User-agent: quarrybot',
      'Crawl-delay: 0.5',
    );
    expect(parseRobotsTxt(separate, 'QuarryBot').crawlDelaySeconds).toBe(0.5);
    expect(parseRobotsTxt(text, 'QuarryBot').sitemaps).toEqual(['https://example.com/one.xml', '/two.xml']);
  });

  it('parseRobotsTxt allows everything if the content is empty or not a robots.txt', () => {
    expect(isAllowed('', '/')).toBe(true);
    expect(isAllowed('<!doctype html><html><body>User-agent: *<br>Disallow: /</body></html>', '/')).toBe(true);
  });
});
