import { describe, expect, it } from 'vitest';
import { parseRobots } from './robots-rules.js';

const lines = (...text: readonly string[]): string => text.join('\n');
const allowed = (text: string, path: string, agent = 'QuarryBot'): boolean => parseRobots(text, agent).allows(path);

describe('parseRobots', () => {
  // RFC 9309 section 5.1
  const simple = lines(
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
  ])('tells %s about %s as the RFC’s first example does', (agent, path, expected) => {
    expect(allowed(simple, path, agent)).toBe(expected);
  });

  // RFC 9309 section 5.2
  it('lets the longest rule decide', () => {
    const text = lines('User-Agent: foobot', 'Allow: /example/page/', 'Disallow: /example/page/disallowed.gif');
    expect(allowed(text, '/example/page/disallowed.gif', 'foobot')).toBe(false);
    expect(allowed(text, '/example/page/other', 'foobot')).toBe(true);
  });

  // RFC 9309 section 2.2.2, the table of octets
  it.each([
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar', false],
    ['/foo/bar/\u30c4', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%E3%83%84', '/foo/bar/%e3%83%84'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
    ['/~joe', '/%7Ejoe'],
  ])('compares the rule %s with %s by their octets', (rule, path, matches = true) => {
    expect(allowed(lines('User-agent: *', `Disallow: ${rule}`), path)).toBe(!matches);
  });

  // The rules and examples that the big search engines publish for the same standard.
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
  ])('takes %s to match %j and not %j', (rule, matching, others) => {
    const text = lines('User-agent: *', `Disallow: ${rule}`);
    expect(matching.filter((path) => allowed(text, path))).toEqual([]);
    expect(others.filter((path) => !allowed(text, path))).toEqual([]);
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
  ])('of the rules %j for %s says %s', (rules, path, expected) => {
    expect(allowed(lines('User-agent: *', ...rules), path)).toBe(expected);
  });

  it('joins the groups that name the crawler, and leaves those for * aside', () => {
    const text = lines(
      'User-agent: quarrybot/2.0',
      'Disallow: /a',
      'User-agent: *',
      'Disallow: /c',
      'User-agent: QUARRYBOT',
      'Disallow: /b',
    );
    expect(['/a', '/b', '/c'].map((path) => allowed(text, path))).toEqual([false, false, true]);
  });

  it('does not take another crawler’s name for its own', () => {
    const text = lines('User-agent: QuarryBot-Images', 'User-agent: Quarry', 'Disallow: /');
    expect(allowed(text, '/')).toBe(true);
  });

  it.each([
    'Sitemap: https://example.com/s.xml',
    'Host: example.com',
    'Crawl-delay: 2',
    '# a comment',
    '',
    'no record',
  ])('lets %j between two agents be part of neither’s rules', (between) => {
    const text = lines('User-agent: quarrybot', between, 'User-agent: other', 'Disallow: /');
    expect(allowed(text, '/')).toBe(false);
  });

  it('ignores rules before the first agent, comments, odd spacing and a byte order mark', () => {
    const text = lines('\uFEFFDisallow: /x', ' user-agent :  * # all', '\tDISALLOW:/y#z', 'Disallow: /w # w');
    expect(['/x', '/y', '/w', '/z'].map((path) => allowed(text, path))).toEqual([true, false, false, true]);
    expect(allowed('\uFEFFUser-agent: *\r\nDisallow: /\r\n', '/a')).toBe(false);
    expect(allowed('User-agent: *\rDisallow: /\r', '/a')).toBe(false);
  });

  it('finds the delay of its own group, and every sitemap', () => {
    const text = lines(
      'Sitemap: https://example.com/one.xml',
      'User-agent: *',
      'Crawl-delay: 9',
      'User-agent: quarrybot',
      'Crawl-delay: 0.5',
      'sitemap: /two.xml',
    );
    // The delay ends no list of agents, so the two share the first that is given.
    expect(parseRobots(text, 'QuarryBot').crawlDelaySeconds).toBe(9);
    const apart = lines('User-agent: *', 'Crawl-delay: 9', 'Disallow: /x', 'User-agent: quarrybot', 'Crawl-delay: 0.5');
    expect(parseRobots(apart, 'QuarryBot').crawlDelaySeconds).toBe(0.5);
    expect(parseRobots(text, 'QuarryBot').sitemaps).toEqual(['https://example.com/one.xml', '/two.xml']);
  });

  it('allows everything when it is empty or no robots.txt at all', () => {
    expect(allowed('', '/')).toBe(true);
    expect(allowed('<!doctype html><html><body>User-agent: *<br>Disallow: /</body></html>', '/')).toBe(true);
  });
});
