import { useEffect, useRef, useState, type ReactNode } from 'react';
import { ErrorNotice } from '../../components/error-notice.js';
import { joinClasses } from '../../components/join-classes.js';
import { Skeleton } from '../../components/skeleton.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { documentMessages } from './messages.js';
import type { PageBox } from './place-boxes.js';
import type { PagePicture } from './use-page-picture.js';

export interface PageSheetProps {
  readonly page: number;
  readonly picture: PagePicture;
  readonly boxes: readonly PageBox[];
  readonly selectedId: string | undefined;
  readonly hoveredId: string | undefined;
  /** Width of the page in percent of the width of the frame around the page. */
  readonly zoom: number;
  readonly onSelect: (fragmentId: string) => void;
  readonly onHover: (fragmentId: string | undefined) => void;
}

/**
 * Shows the picture of a document page with boxes over the areas of its fragments. Shows only the boxes if there is no
 * picture.
 */
export function PageSheet(props: PageSheetProps): ReactNode {
  const { page, picture, boxes, selectedId, zoom } = props;
  const formats = useFormats();
  const sheet = useRef<HTMLDivElement>(null);
  const [shownPicture, setShownPicture] = useState<string>();
  useEffect(() => {
    const box = sheet.current?.querySelector('.page-box-selected');
    box?.scrollIntoView({ block: 'center', inline: 'nearest' });
    // The effect also runs when a picture is shown, because the picture determines the height of the sheet.
  }, [selectedId, page, shownPicture]);
  return (
    <div
      className={joinClasses('page-sheet', picture.url === undefined && 'page-sheet-empty')}
      ref={sheet}
      style={{ width: `${zoom}%` }}
    >
      <PageSheetContent
        hasBoxes={boxes.length > 0}
        onShown={setShownPicture}
        page={formats.number(page)}
        picture={picture}
      />
      {boxes.map((box, index) => (
        <PassageBoxButton {...props} box={box} key={`${index} ${box.fragmentId}`} />
      ))}
    </div>
  );
}

interface PageSheetContentProps {
  /** The number of the page, formatted in the language of the console. */
  readonly page: string;
  readonly picture: PagePicture;
  /** True if boxes are drawn over the page. They then show that the picture is loading, so there is no skeleton. */
  readonly hasBoxes: boolean;
  readonly onShown: (url: string) => void;
}

/**
 * Shows the picture of the page, a placeholder while the picture is loading, or the error with which loading failed.
 */
function PageSheetContent({ page, picture, hasBoxes, onShown }: PageSheetContentProps): ReactNode {
  const { url, error, isPending, retry } = picture;
  const messages = useMessages(documentMessages);
  if (url !== undefined)
    return (
      <img
        alt={messages.pictureOf(page)}
        className="page-picture"
        draggable={false}
        onLoad={() => onShown(url)}
        src={url}
      />
    );
  if (error !== null)
    return (
      <div className="page-sheet-state">
        <ErrorNotice error={error} onRetry={retry} title={messages.pictureFailed} />
      </div>
    );
  if (!isPending) return <p className="visually-hidden">{messages.placesOn(page)}</p>;
  return (
    <div className="page-sheet-state">
      <p className="visually-hidden">{messages.pictureLoading}</p>
      {!hasBoxes && <Skeleton lines={14} />}
    </div>
  );
}

/**
 * Shows a box over an area of a fragment on the page. A click selects the fragment. Users of keyboards and screen
 * readers use the list of fragments instead.
 */
function PassageBoxButton({
  box,
  selectedId,
  hoveredId,
  onSelect,
  onHover,
}: PageSheetProps & { readonly box: PageBox }): ReactNode {
  const { fragmentId, left, top, width, height } = box;
  return (
    <button
      aria-hidden="true"
      className={joinClasses(
        'page-box',
        fragmentId === selectedId && 'page-box-selected',
        fragmentId === hoveredId && 'page-box-hovered',
      )}
      onClick={() => onSelect(fragmentId)}
      onPointerEnter={() => onHover(fragmentId)}
      onPointerLeave={() => onHover(undefined)}
      style={{ left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }}
      tabIndex={-1}
      type="button"
    />
  );
}
