import { useId, useState, type ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { IconButton } from '../../components/icon-button.js';
import { ChevronLeftIcon, ChevronRightIcon, MinusIcon, PlusIcon } from '../../components/icons.js';
import { useFormats, useMessages } from '../../language/language-context.js';
import { documentMessages } from './messages.js';

export interface PageToolbarProps {
  readonly page: number;
  readonly lastPage: number;
  readonly zoom: number;
  readonly canZoomIn: boolean;
  readonly canZoomOut: boolean;
  readonly onPage: (page: number) => void;
  /** Called with 1 to zoom in, -1 to zoom out, and 0 to fit the page into the width of its frame. */
  readonly onZoom: (step: number) => void;
}

/** Shows the controls of the page viewer: page, zoom and legend. */
export function PageToolbar(props: PageToolbarProps): ReactNode {
  const { page, lastPage, zoom, canZoomIn, canZoomOut, onPage, onZoom } = props;
  const messages = useMessages(documentMessages);
  const formats = useFormats();
  return (
    <div className="page-toolbar">
      <IconButton
        disabled={page <= 1}
        icon={ChevronLeftIcon}
        isSmall
        label={messages.previousPage}
        onClick={() => onPage(page - 1)}
        shortcut="p"
      />
      <PageNumberField key={page} lastPage={lastPage} onPage={onPage} page={page} />
      <IconButton
        disabled={page >= lastPage}
        icon={ChevronRightIcon}
        isSmall
        label={messages.nextPage}
        onClick={() => onPage(page + 1)}
        shortcut="n"
      />
      <span className="page-toolbar-space" />
      <span className="page-legend">
        <span className="legend-selected">{messages.legendSelected}</span>
        <span className="legend-hovered">{messages.legendHovered}</span>
      </span>
      <IconButton
        disabled={!canZoomOut}
        icon={MinusIcon}
        isSmall
        label={messages.zoomOut}
        onClick={() => onZoom(-1)}
        shortcut="-"
      />
      <Button className="page-zoom numbers" kind="quiet" onClick={() => onZoom(0)} title={messages.fitWidth}>
        {formats.percent(zoom / 100)}
        <span className="visually-hidden"> {messages.fitWidth}</span>
      </Button>
      <IconButton
        disabled={!canZoomIn}
        icon={PlusIcon}
        isSmall
        label={messages.zoomIn}
        onClick={() => onZoom(1)}
        shortcut="+"
      />
    </div>
  );
}

type PageNumberFieldProps = Pick<PageToolbarProps, 'page' | 'lastPage' | 'onPage'>;

function PageNumberField({ page, lastPage, onPage }: PageNumberFieldProps): ReactNode {
  const messages = useMessages(documentMessages);
  const formats = useFormats();
  const id = useId();
  const [text, setText] = useState(String(page));
  const open = (): void => {
    const wanted = Number(text);
    if (Number.isInteger(wanted) && wanted >= 1 && wanted <= lastPage) onPage(wanted);
    else setText(String(page));
  };
  return (
    <form
      className="page-number numbers"
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <label className="visually-hidden" htmlFor={id}>
        {messages.pageNumber}
      </label>
      <input
        autoComplete="off"
        className="input"
        id={id}
        inputMode="numeric"
        onBlur={open}
        onChange={(event) => setText(event.target.value)}
        value={text}
      />
      <span className="muted">{messages.ofPages(formats.number(lastPage))}</span>
    </form>
  );
}
