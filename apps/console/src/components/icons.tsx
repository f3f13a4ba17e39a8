import type { ReactNode } from 'react';

export interface IconProps {
  /** Width and height in pixels. Default: 16. */
  readonly size?: number;
}
export type Icon = (props: IconProps) => ReactNode;

/**
 * Creates an icon from SVG paths on a grid of 16 by 16 units. Icons are decorative: a text or label names the action.
 */
function createIcon(...lines: readonly string[]): Icon {
  return function LineIcon({ size = 16 }) {
    return (
      <svg
        aria-hidden="true"
        className="icon"
        fill="none"
        height={size}
        stroke="currentColor"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth="1.4"
        viewBox="0 0 16 16"
        width={size}
      >
        {lines.map((line) => (
          <path d={line} key={line} />
        ))}
      </svg>
    );
  };
}

export const DatastoreIcon = createIcon('M8 1.8 14 5 8 8.2 2 5Z', 'M2 8 8 11.2 14 8', 'M2 11 8 14.2 14 11');
export const DocumentIcon = createIcon('M4 1.8h5l3.2 3.2v9.2H4Z', 'M9 1.8V5h3.2', 'M6.3 8.3h3.6M6.3 11h3.6');
export const UploadIcon = createIcon('M8 10.5V2.5M4.8 5.5 8 2.3l3.2 3.2', 'M2.3 10.5v3.2h11.4v-3.2');
export const PlaygroundIcon = createIcon('M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Z', 'm10.7 10.7 3.3 3.3', 'M5 7h4M7 5v4');
export const AgentIcon = createIcon(
  'M3 5.5h10v7.7H3Z',
  'M8 5.5V2.8M6.6 2.5h2.8',
  'M6 8.6v1.2M10 8.6v1.2',
  'M1.3 8v2.6M14.7 8v2.6',
);
export const ConversationIcon = createIcon('M2.2 2.8h11.6v8.4H7.4L4.4 14v-2.8H2.2Z', 'M5 5.8h6M5 8.3h3.6');
export const EvaluationIcon = createIcon('M2.3 13.7V2.3', 'M2.3 13.7h11.4', 'M5.5 11V7.5M8.7 11V4.5M11.9 11V6');
export const KeyIcon = createIcon('M5.3 13.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z', 'm7.5 8.4 6-6', 'm11 4.8 2 2M12.8 3l1 1');
export const WebhookIcon = createIcon(
  'M8 6.6a2.3 2.3 0 1 0-2-3.4',
  'M3.6 13.5a2.3 2.3 0 1 0-1.4-3.9M12.4 13.5a2.3 2.3 0 1 0-.6-4.4',
  'M8 4.5 4 11M8 4.5l3.9 6.7M4 11.5h7.8',
);
export const UsageIcon = createIcon('M2 9.5a6 6 0 0 1 12 0', 'M8 9.7 10.7 6.5', 'M2 12.8h12');
export const OrganizationIcon = createIcon(
  'M2.5 14V2.5h6.5V14',
  'M9 6h4.5v8',
  'M1.5 14h13',
  'M5 5.3h1.5M5 8h1.5M5 10.8h1.5',
);
export const SystemIcon = createIcon(
  'M2 2.5h12v4.3H2ZM2 9.2h12v4.3H2Z',
  'M4.5 4.6h.1M4.5 11.3h.1',
  'M7 4.6h4.6M7 11.3h4.6',
);
export const ModelIcon = createIcon(
  'M4.5 4.5h7v7h-7Z',
  'M6.5 2v2M9.5 2v2M6.5 12v2M9.5 12v2',
  'M2 6.5h2M2 9.5h2M12 6.5h2M12 9.5h2',
);
export const HomeIcon = createIcon('M2.3 7.3 8 2.4l5.7 4.9', 'M3.8 6.2v7.5h8.4V6.2', 'M6.5 13.5V9.7h3v3.8');
export const SearchIcon = createIcon('M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Z', 'm10.7 10.7 3.3 3.3');
export const PlusIcon = createIcon('M8 3v10M3 8h10');
export const MinusIcon = createIcon('M3 8h10');
export const ExternalIcon = createIcon('M6.5 3H3v10h10V9.5', 'M9.3 2.5h4.2v4.2M13.2 2.8 7.8 8.2');
export const HistoryIcon = createIcon('M2.6 5.3V2.4M2.6 5.3h2.9', 'M2.7 5.2A5.8 5.8 0 1 1 2.2 8.6', 'M8 4.9V8l2.2 1.4');
export const RunIcon = createIcon('M4.5 2.8 12.5 8l-8 5.2Z');
export const CloseIcon = createIcon('m3.8 3.8 8.4 8.4M12.2 3.8l-8.4 8.4');
export const CheckIcon = createIcon('m3 8.5 3.3 3.3L13 4.8');
export const CopyIcon = createIcon('M5.5 5.5h8v8h-8Z', 'M10.5 5.3V2.5h-8v8h2.8');
export const MoreIcon = createIcon('M3.2 8h.1M8 8h.1M12.7 8h.1');
export const TrashIcon = createIcon('M2.5 4.2h11', 'M6 4V2.3h4V4', 'm3.8 4.2.7 9.6h7l.7-9.6', 'M6.7 7v4M9.3 7v4');
export const EditIcon = createIcon('M2.6 13.4 3 10.6l7.8-7.8 2.4 2.4L5.4 13Z', 'm9.3 4.3 2.4 2.4');
export const ChevronLeftIcon = createIcon('M10 3.5 5.5 8l4.5 4.5');
export const ChevronRightIcon = createIcon('m6 3.5 4.5 4.5L6 12.5');
export const ChevronDownIcon = createIcon('m4 6 4 4 4-4');
export const SunIcon = createIcon(
  'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  'M8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1 1M11.6 11.6l1 1M3.4 12.6l1-1M11.6 4.4l1-1',
);
export const MoonIcon = createIcon('M13.3 9.8A5.7 5.7 0 0 1 6.2 2.7a5.7 5.7 0 1 0 7.1 7.1Z');
export const ScreenIcon = createIcon('M2 2.8h12v8H2Z', 'M5.5 13.5h5M8 11v2.4');
export const LanguageIcon = createIcon(
  'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z',
  'M2.2 8h11.6',
  'M8 2c3.6 3.4 3.6 8.6 0 12-3.6-3.4-3.6-8.6 0-12Z',
);
export const KeyboardIcon = createIcon('M1.5 4h13v8h-13Z', 'M4 6.7h.1M6.7 6.7h.1M9.3 6.7h.1M12 6.7h.1M5 9.5h6');
export const BookIcon = createIcon(
  'M8 4C6.6 2.8 4.6 2.5 2.2 2.7v9.8C4.6 12.3 6.6 12.6 8 13.8c1.4-1.2 3.4-1.5 5.8-1.3V2.7C11.4 2.5 9.4 2.8 8 4Z',
  'M8 4v9.5',
);
export const SignOutIcon = createIcon('M6.5 2.5h-4v11h4', 'M10.5 5 13.5 8l-3 3M13.3 8H6');
export const MenuIcon = createIcon('M2 4.5h12M2 8h12M2 11.5h12');
export const WarningIcon = createIcon('M8 2.2 14.6 13.5H1.4Z', 'M8 6.5v3M8 11.5h.1');
export const RetryIcon = createIcon('M13 3v3.3H9.7', 'M12.8 6.2A5.3 5.3 0 1 0 13.3 9');
export const ThumbUpIcon = createIcon(
  'M5.2 7.2 8 2.2c1.3 0 1.9.9 1.7 2l-.4 2.3h3.4a1 1 0 0 1 1 1.2l-.9 4.6a1 1 0 0 1-1 .8H5.2Z',
  'M5.2 7.2H2.5v5.9h2.7',
);
export const ThumbDownIcon = createIcon(
  'M5.2 8.8 8 13.8c1.3 0 1.9-.9 1.7-2l-.4-2.3h3.4a1 1 0 0 0 1-1.2l-.9-4.6a1 1 0 0 0-1-.8H5.2Z',
  'M5.2 8.8H2.5V2.9h2.7',
);
export const SendIcon = createIcon('M8 13V3.2M4 7l4-4 4 4');
export const StopIcon = createIcon('M4 4h8v8H4Z');
export const FolderIcon = createIcon('M2 4h4.3l1.4 1.7H14v7H2Z');
export const TextIcon = createIcon('M3 4h10M3 7h10M3 10h10M3 13h5');
export const PageIcon = createIcon('M2 3h12v10H2Z', 'M2 6h12', 'M4 4.5h.1M5.8 4.5h.1');
export const SiteIcon = createIcon('M6 2h4v3.4H6ZM2 10.6h4V14H2ZM10 10.6h4V14h-4Z', 'M8 5.5V8M4 10.5V8h8v2.5');
export const ListingIcon = createIcon('M5.5 4H14M5.5 8H14M5.5 12H14', 'M2.2 4h.6M2.2 8h.6M2.2 12h.6');
export const DownloadIcon = createIcon('M8 2.5v8M4.8 7.5 8 10.7l3.2-3.2', 'M2.3 10.5v3.2h11.4v-3.2');
export const PreviewIcon = createIcon(
  'M1.5 8C3 5 5.3 3.6 8 3.6S13 5 14.5 8C13 11 10.7 12.4 8 12.4S3 11 1.5 8Z',
  'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
);

export const LogoIcon: Icon = ({ size = 22 }) => (
  <svg aria-hidden="true" className="icon" height={size} viewBox="0 0 32 32" width={size}>
    <rect fill="#0f6e6e" height="32" rx="8" width="32" />
    <path d="M16 6.5 25 11.5 16 16.5 7 11.5Z" fill="#fff" />
    <path
      d="M7 16.2 16 21.2 25 16.2M7 20.7 16 25.7 25 20.7"
      fill="none"
      opacity=".8"
      stroke="#fff"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="2.2"
    />
  </svg>
);
