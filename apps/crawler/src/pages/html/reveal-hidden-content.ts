import { getNormalizedText } from './parse-document.js';

/** Minimum text length of a page that is readable without scripts. */
const MIN_TEXT_LENGTH = 200;

/** Reveals content that is hidden until scripts run or a user clicks. Changes the document. */
export function revealHiddenContent(document: Document): void {
  revealStreamedContent(document);
  revealPanels(document);
  revealNoscriptText(document);
}

/**
 * Moves content that React streams at the end of a page (`<div hidden id="S:1">`) to its placeholder (`<template id="B:1">` or
 * `P:1`). On many pages this is the whole text.
 */
function revealStreamedContent(document: Document): void {
  for (const streamed of document.querySelectorAll('div[hidden][id^="S:"]')) {
    const number = streamed.id.slice('S:'.length);
    const place = document.getElementById(`P:${number}`) ?? document.getElementById(`B:${number}`);
    if (place === null) revealElement(streamed);
    else {
      place.replaceWith(...streamed.childNodes);
      streamed.remove();
    }
  }
}

/** Reveals the panels of tabs and accordions. */
function revealPanels(document: Document): void {
  for (const button of document.querySelectorAll('[aria-controls]')) {
    if (button.closest('nav, header') !== null) continue;
    for (const id of (button.getAttribute('aria-controls') ?? '').split(/\s+/)) {
      const panel = id === '' ? null : document.getElementById(id);
      if (panel !== null) revealElement(panel);
    }
  }
  for (const panel of document.querySelectorAll('[role="tabpanel"], details')) revealElement(panel);
}

/** Reveals long `noscript` elements of a page without other text. Some forums provide their threads there. */
function revealNoscriptText(document: Document): void {
  const withText = [...document.querySelectorAll('body noscript')].filter(
    (element) => getNormalizedText(element).length >= MIN_TEXT_LENGTH,
  );
  if (withText.length === 0 || measureVisibleText(document.body) >= MIN_TEXT_LENGTH) return;
  for (const element of withText) element.replaceWith(...element.childNodes);
}

function revealElement(panel: Element): void {
  panel.removeAttribute('hidden');
  panel.removeAttribute('aria-hidden');
  panel.removeAttribute('style');
}

/** Returns the text length of an element without scripts, styles, templates and `noscript`. */
export function measureVisibleText(element: Element): number {
  const invisible = [...element.querySelectorAll('script, style, noscript, template')].filter(
    (each) => each.parentElement?.closest('noscript, template') == null,
  );
  return getNormalizedText(element).length - invisible.reduce((sum, each) => sum + getNormalizedText(each).length, 0);
}
