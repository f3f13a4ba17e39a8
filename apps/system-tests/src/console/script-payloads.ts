/** Name of the global variable that a payload sets to its number if its script runs. */
export const CANARY = 'canary';

/** CSS selector of the elements that a payload creates when it is rendered as markup. */
export const MADE = '[data-made]';

/** Templates of payloads. `RUN` is replaced by a script that sets `CANARY`, and `MADE` by the attribute `data-made`. */
const TEMPLATES = [
  '<script MADE>RUN</script>',
  '<script MADE src="//evil.example/RUN"></script>',
  '<ScRiPt MADE>RUN</sCrIpT>',
  '<img MADE src=x onerror=RUN>',
  '<img MADE src="//evil.example/RUN.png">',
  '<img/MADE/src="x"/onerror="RUN">',
  '<svg MADE onload=RUN>',
  '<svg MADE><script>RUN</script></svg>',
  '<svg MADE><a xlink:href="javascript:RUN"><text>x</text></a></svg>',
  '<svg MADE><animate onbegin=RUN attributeName=x></svg>',
  '<iframe MADE src="javascript:RUN"></iframe>',
  '<iframe MADE srcdoc="<script>parent.RUN</script>"></iframe>',
  '<body MADE onload=RUN>',
  '<a MADE href="javascript:RUN">x</a>',
  '<a MADE href="data:text/html,<script>RUN</script>">x</a>',
  '<math MADE><mi xlink:href="javascript:RUN">x</mi></math>',
  '<details MADE open ontoggle=RUN>',
  '<video MADE><source onerror=RUN></video>',
  '<audio MADE src=x onerror=RUN>',
  '<input MADE autofocus onfocus=RUN>',
  '<select MADE autofocus onfocus=RUN>',
  '<form MADE action="javascript:RUN"><button>x</button></form>',
  '<button MADE formaction="javascript:RUN">x</button>',
  '<object MADE data="data:text/html,<script>RUN</script>"></object>',
  '<embed MADE src="javascript:RUN">',
  '<link MADE rel=stylesheet href="//evil.example/RUN">',
  '<meta MADE http-equiv=refresh content="0;url=javascript:RUN">',
  '<base MADE href="//evil.example/RUN/">',
  '<style MADE>@import "//evil.example/RUN";</style>',
  '<div MADE style="background:url(//evil.example/RUN)">x</div>',
  '<template MADE><script>RUN</script></template>',
  '<noscript><p MADE title="</noscript><img MADE src=x onerror=RUN>"></noscript>',
  '<marquee MADE onstart=RUN>x</marquee>',
  '<x MADE tabindex=1 autofocus onfocus=RUN>x</x>',
  '"><script MADE>RUN</script>',
  "'><img MADE src=x onerror=RUN>",
  '</textarea><script MADE>RUN</script>',
  '</title><script MADE>RUN</script>',
  '--><img MADE src=x onerror=RUN><!--',
  '{{constructor.constructor("RUN")()}} <b MADE>x</b>',
  '${RUN} <i MADE>x</i>',
  '[x](javascript:RUN)',
  '[x](JaVaScRiPt:RUN)',
  '[x](java&#x09;script:RUN)',
  '[x](&#106;avascript:RUN)',
  '[x](data:text/html;base64,RUN)',
  '[x](vbscript:RUN)',
  '![x](https://evil.example/RUN.png)',
  '![x](x" onerror="RUN)',
  '# <img MADE src=x onerror=RUN>',
  '<javascript:RUN>',
  '&lt;script MADE&gt;RUN&lt;/script&gt;',
] as const;

/** Texts that would run a script, request another origin or create an element if a screen rendered them as markup. */
export const PAYLOADS: readonly string[] = TEMPLATES.map((template, at) =>
  template.replaceAll('RUN', `${CANARY}=${at}`).replaceAll('MADE', 'data-made'),
);

/**
 * Minimum number of payloads that a screen shows as text if its content contains all payloads. The others are hidden:
 * answers hide the addresses of links, which contain seven payloads, and Quarry removes HTML comments from documents.
 */
export const MIN_SHOWN_PAYLOADS = 45;

/** Lists the numbers, which are indexes in `PAYLOADS`, of the payloads that a text contains. */
export function findPayloadNumbers(text: string): readonly number[] {
  return [...text.matchAll(new RegExp(`${CANARY}=(\\d+)`, 'g'))].map(([, number]) => Number(number));
}
