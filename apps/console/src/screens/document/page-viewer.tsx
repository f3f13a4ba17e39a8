import type { DatasourceFragment } from '@quarry/client';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Button } from '../../components/button.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { useShortcuts } from '../../keyboard/use-shortcuts.js';
import { documentMessages } from './messages.js';
import { PageConfidence } from './page-confidence.js';
import { findFirstPage, listPageBoxes } from './place-boxes.js';
import { PageSheet } from './page-sheet.js';
import { PageToolbar } from './page-toolbar.js';
import type { DocumentAddress } from './use-document.js';
import { usePagePicture } from './use-page-picture.js';
import { choosePictureWidth, MAX_ZOOM, MIN_ZOOM, changeZoomByStep } from './zoom.js';

export interface PageViewerProps {
  readonly address: DocumentAddress;
  readonly fragments: readonly DatasourceFragment[];
  readonly selected: DatasourceFragment | undefined;
  readonly hoveredId: string | undefined;
  readonly page: number;
  readonly lastPage: number;
  readonly onPage: (page: number) => void;
  readonly onSelect: (fragment: DatasourceFragment) => void;
  readonly onHover: (id: string | undefined) => void;
}

/** Shows a page of a document, on which the selected passage is marked, and the controls for the page and the zoom. */
export function PageViewer(props: PageViewerProps): ReactNode {
  const { address, fragments, selected, hoveredId, page, lastPage, onPage, onSelect, onHover } = props;
  const messages = useMessages(documentMessages);
  const [zoom, setZoom] = useState(100);
  const frame = useRef<HTMLDivElement>(null);
  const width = useElementWidth(frame);
  const pictureWidth =
    width === undefined ? undefined : choosePictureWidth((width * zoom) / 100, window.devicePixelRatio);
  const picture = usePagePicture({ datasourceId: address.datasourceId, page, width: pictureWidth });
  useShortcuts([
    { keys: 'n', onPress: () => onPage(Math.min(page + 1, lastPage)) },
    { keys: 'p', onPress: () => onPage(Math.max(page - 1, 1)) },
    { keys: '+', onPress: () => setZoom((before) => changeZoomByStep(before, 1)) },
    { keys: '-', onPress: () => setZoom((before) => changeZoomByStep(before, -1)) },
    { keys: '0', onPress: () => setZoom(100) },
  ]);
  const select = (id: string): void => {
    const fragment = fragments.find((candidate) => candidate.id === id);
    if (fragment !== undefined) onSelect(fragment);
  };
  return (
    <div className="page-viewer">
      <PageToolbar
        canZoomIn={zoom < MAX_ZOOM}
        canZoomOut={zoom > MIN_ZOOM}
        lastPage={lastPage}
        onPage={onPage}
        onZoom={(step) => setZoom(step === 0 ? 100 : changeZoomByStep(zoom, step))}
        page={page}
        zoom={zoom}
      />
      <NoMarkedPassageNotice onPage={onPage} page={page} selected={selected} />
      {/* eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex -- keyboards scroll it (WCAG 2.1.1) */}
      <div aria-label={messages.pageView} className="page-frame" ref={frame} role="region" tabIndex={0}>
        <PageSheet
          boxes={listPageBoxes(fragments, page)}
          hoveredId={hoveredId}
          onHover={onHover}
          onSelect={select}
          page={page}
          picture={picture}
          selectedId={selected?.id}
          zoom={zoom}
        />
      </div>
      <PageConfidence address={address} onPage={onPage} page={page} />
    </div>
  );
}

interface NoMarkedPassageNoticeProps {
  readonly selected: DatasourceFragment | undefined;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/**
 * Explains why the selected passage is not marked on the page: it is on another page, or its position is not stored.
 */
function NoMarkedPassageNotice({ selected, page, onPage }: NoMarkedPassageNoticeProps): ReactNode {
  const messages = useMessages(documentMessages);
  const formats = useFormats();
  if (selected === undefined) return null;
  const { rectangles } = selected;
  if (rectangles.length === 0) return <p className="page-notice">{messages.noRectangles}</p>;
  const first = findFirstPage(selected);
  if (first === null || rectangles.some((rectangle) => rectangle.page === page)) return null;
  return (
    <p className="page-notice">
      {messages.noBoxes}
      <Button kind="quiet" onClick={() => onPage(first)}>
        {messages.showPassage} ({messages.pageShort(formats.number(first))})
      </Button>
    </p>
  );
}

/** Returns the width of an element in CSS pixels, without its padding. Undefined until the width is measured. */
function useElementWidth(element: RefObject<HTMLElement | null>): number | undefined {
  const [width, setWidth] = useState<number>();
  useEffect(() => {
    if (element.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      setWidth(entry?.contentRect.width);
    });
    observer.observe(element.current);
    return () => {
      observer.disconnect();
    };
  }, [element]);
  return width;
}
