import { endingOf } from './address-ending.js';

/** What pages are made of and link to, and nobody reads as text: not worth a request. */
const ASSETS = new Set(
  (
    'jpg jpeg png gif svg webp avif ico bmp tif tiff heic css js mjs map woff woff2 ttf otf eot mp3 m4a wav ogg flac ' +
    'mp4 m4v mov avi wmv webm mkv zip gz tgz bz2 xz 7z rar tar iso dmg exe msi apk deb rpm jar bin psd ai eps ics vcf ' +
    'rss atom'
  ).split(' '),
);

export function isAsset(address: string): boolean {
  return ASSETS.has(endingOf(address));
}
