import { textOf } from './parse-document.js';

/** A page has been built when it says this much without scripts. */
const SOME_TEXT = 200;

/** Shows what readers come to see, but the page as it is sent hides. Changes the document. */
export function reveal(document: Document): void {
  revealStreamed(document);
  revealPanels(document);
  revealWordsWithoutScripts(document);
}

/**
 * What React streams behind the page (`<div hidden id="S:1">`) comes to where its script would put it (`<template id="B:1">`,
 * or `P:1`): on many pages that is all of their text.
 */
function revealStreamed(document: Document): void {
  for (const streamed of document.querySelectorAll('div[hidden][id^="S:"]')) {
    const number = streamed.id.slice('S:'.length);
    const place = document.getElementById(`P:${number}`) ?? document.getElementById(`B:${number}`);
    if (place === null) show(streamed);
    else {
      place.replaceWith(...streamed.childNodes);
      streamed.remove();
    }
  }
}

/** The panels of tabs and accordions, which are hidden until somebody presses their button. */
function revealPanels(document: Document): void {
  for (const button of document.querySelectorAll('[aria-controls]')) {
    if (button.closest('nav, header') !== null) continue;
    for (const id of (button.getAttribute('aria-controls') ?? '').split(/\s+/)) {
      const panel = id === '' ? null : document.getElementById(id);
      if (panel !== null) show(panel);
    }
  }
  for (const panel of document.querySelectorAll('[role="tabpanel"], details')) show(panel);
}

/** Forums that scripts build hold their threads in `noscript`, for readers like us. */
function revealWordsWithoutScripts(document: Document): void {
  const told = [...document.querySelectorAll('body noscript')].filter((element) => textOf(element).length >= SOME_TEXT);
  if (told.length === 0 || visibleLength(document.body) >= SOME_TEXT) return;
  for (const element of told) element.replaceWith(...element.childNodes);
}

function show(panel: Element): void {
  panel.removeAttribute('hidden');
  panel.removeAttribute('aria-hidden');
  panel.removeAttribute('style');
}

/** How much an element says, what is there for scripts left out. */
export function visibleLength(element: Element): number {
  const unseen = [...element.querySelectorAll('script, style, noscript, template')].filter(
    (each) => each.parentElement?.closest('noscript, template') == null,
  );
  return textOf(element).length - unseen.reduce((sum, each) => sum + textOf(each).length, 0);
}
