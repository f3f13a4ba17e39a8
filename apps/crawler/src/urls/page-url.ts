/** Returns whether a URL is the address of the home page of a site. */
export function isHomePageUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed?.pathname === '/' && parsed.search === '';
}

/** Returns the decoded last segment of the URL's path, such as `report 2026.pdf`; empty if the path ends in a slash. */
export function getFileNameOfUrl(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Lists the file name extensions of images, styles, scripts and other files without text. */
const ASSET_EXTENSIONS = new Set(
  (
    'jpg jpeg png gif svg webp avif ico bmp tif tiff heic css js mjs map woff woff2 ttf otf eot mp3 m4a wav ogg flac ' +
    'mp4 m4v mov avi wmv webm mkv zip gz tgz bz2 xz 7z rar tar iso dmg exe msi apk deb rpm jar bin psd ai eps ics vcf ' +
    'rss atom'
  ).split(' '),
);

/**
 * Returns whether a URL has the file name extension of an image, style, script or other file without text. Crawls never
 * fetch such files.
 */
export function isAssetUrl(url: string): boolean {
  return ASSET_EXTENSIONS.has(/\.([a-z0-9]+)$/i.exec(getFileNameOfUrl(url))?.[1]?.toLowerCase() ?? '');
}
