import type { Exports } from './pdfium-instance.js';
import { textFrom } from './pdfium-strings.js';

/** In the numbers of pdfium's header fpdf_formfill.h. */
const CHECK_BOX = 2;
const RADIO_BUTTON = 3;
const COMBO_BOX = 4;
const LIST_BOX = 5;
const TEXT_FIELD = 6;
/** Source: ISO 32000-1, table 228. */
const PASSWORD = 1 << 13;
const CHECKED = '☒';

/** @param state whether it is on, and of which name @returns what a field shows that somebody has filled in or chosen, else '' */
export function formValueOf(pdfium: Exports, form: number, annotation: number, state: string): string {
  switch (pdfium.FPDFAnnot_GetFormFieldType(form, annotation)) {
    case CHECK_BOX:
    case RADIO_BUTTON:
      return state === '' || state === 'Off' ? '' : CHECKED;
    case COMBO_BOX:
    case LIST_BOX:
      return chosenOf(pdfium, form, annotation) || writtenIn(pdfium, form, annotation);
    case TEXT_FIELD:
      return (pdfium.FPDFAnnot_GetFormFieldFlags(form, annotation) & PASSWORD) === 0
        ? writtenIn(pdfium, form, annotation)
        : '';
    default:
      return '';
  }
}

function writtenIn(pdfium: Exports, form: number, annotation: number): string {
  return textFrom(pdfium, (address, bytes) => pdfium.FPDFAnnot_GetFormFieldValue(form, annotation, address, bytes));
}

/** The labels, which are shown; the values behind them may be codes. */
function chosenOf(pdfium: Exports, form: number, annotation: number): string {
  const labels: string[] = [];
  for (let index = 0; index < pdfium.FPDFAnnot_GetOptionCount(form, annotation); index += 1) {
    if (pdfium.FPDFAnnot_IsOptionSelected(form, annotation, index) === 0) continue;
    labels.push(
      textFrom(pdfium, (address, bytes) => pdfium.FPDFAnnot_GetOptionLabel(form, annotation, index, address, bytes)),
    );
  }
  return labels.join(', ');
}
